"""Everything that runs: campaign, server, shell, coverage, replay."""
