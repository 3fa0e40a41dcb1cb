"""The mongod under test: found, started, kept alone, cleared between runs."""
