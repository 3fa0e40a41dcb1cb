"""From entropy to JavaScript: pure functions, no I/O to a server, no clock, no randomness."""
