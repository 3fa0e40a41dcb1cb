"""The mutations, each its own small unit, and the table that weighs them."""
