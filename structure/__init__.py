"""From entropy to JavaScript: pure functions, no I/O to a server, no clock, no randomness."""

VERSION = 1  # raised when the same bytes and corpus come to mean another test
