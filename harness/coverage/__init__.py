"""Coverage sources, and their way into the counters of libFuzzer."""
