"""The seed corpus: JavaScript tests of this project, one subject each."""
