#!/usr/bin/env python3
"""The campaign's program: `python harness/fuzz.py --help`."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

# Run as a script, the folder of this file is in front of the path, where its modules would hide
# others of the same name.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from harness.campaign import Campaign
from harness.exits import ExitStatus, Problem
from harness.options import fuzz_settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz by the command line; returns the exit status."""
    try:
        settings, json_file = fuzz_settings(sys.argv[1:] if arguments is None else arguments)
        campaign = Campaign(settings)
    except Problem as problem:
        print(f"mongo-astfuzz: {problem}", file=sys.stderr)
        return problem.status
    summary = campaign.run()
    for name, reason in summary.corpus["skipped"]:
        print(f"skipped {name}: {reason}")
    for line in summary.lines():
        print(line)
    if json_file is not None:
        try:
            making = json_file.with_name(f".{json_file.name}.{os.getpid()}")
            making.write_text(json.dumps(summary.as_json(), indent=2) + "\n")
            making.rename(json_file)
        except OSError as error:
            print(f"mongo-astfuzz: --json {json_file}: {error}", file=sys.stderr)
            return ExitStatus.STALLED
    return summary.status


if __name__ == "__main__":
    sys.exit(main())
