"""Does guidance pay? Server blocks reached over time, guided and blind, side by side.

Every campaign runs the same number of seconds on a fresh server with the same corpus and the
same breakpoints; what differs is what libFuzzer sees of them, or that there is no libFuzzer. *New*
blocks are those beyond what the unmutated corpus reaches, which is measured first. Rounds go
through all modes in turn; `--jobs` campaigns run at the same time, on as many cores.

    python benchmarks/guidance.py --seconds 600 --rounds 3 --out build/guidance

writes results.csv (mode, round, seconds, runs, blocks, new) and, where matplotlib is installed,
results.png; prints median and spread at the end and at half the time.
"""

import argparse
import csv
import itertools
import json
import os
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODES = {
    "blocks": [],
    "functions": ["--guide", "functions"],
    "replies": ["--guide", "replies"],
    "blind": ["--blind"],
    "K=1": ["--max-hits", "1"],
    "K=8": ["--max-hits", "8"],
    "K=32": ["--max-hits", "32"],
}
DEFAULT = ("blocks", "functions", "replies", "blind")


def campaign(out: Path, seconds: float, options: list[str]) -> dict[str, object]:
    """One campaign; its coverage report is in `out`. Returns its JSON summary."""
    out.mkdir(parents=True, exist_ok=True)
    summary = out / "summary.json"
    command = [sys.executable, str(ROOT / "harness" / "fuzz.py"), "--coverage", "blocks"]
    command += ["--json", str(summary), "--coverage-report", str(out)]
    command += ["--crashes", str(out / "crashes"), *options]
    if seconds:
        command += ["--time", str(seconds)]
    with (out / "output.txt").open("w") as output:
        subprocess.run(command, stdout=output, stderr=output, check=False)
    return dict(json.loads(summary.read_text()))


def addresses(out: Path) -> list[str]:
    """Blocks in the order of discovery."""
    return (out / "blocks.txt").read_text().split()


def curve(out: Path, known: set[str]) -> list[tuple[float, int, int, int]]:
    """(seconds, runs, blocks, new blocks) over the time of a campaign."""
    fresh = [0, *itertools.accumulate(address not in known for address in addresses(out))]
    rows = []
    with (out / "time.csv").open() as file:
        for row in csv.DictReader(file):
            blocks = min(int(row["blocks"]), len(fresh) - 1)
            rows.append((float(row["seconds"]), int(row["runs"]), blocks, fresh[blocks]))
    return rows


def at(rows: list[tuple[float, int, int, int]], seconds: float) -> tuple[int, int, int]:
    """(runs, blocks, new) at that time."""
    before = [row for row in rows if row[0] <= seconds]
    return before[-1][1:] if before else (0, 0, 0)


def plot(curves: dict[str, list[list[tuple[float, int, int, int]]]], file: Path) -> None:
    """New blocks over time, one line for each campaign."""
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        print("no plot: matplotlib is not installed")
        return
    figure, axes = pyplot.subplots(figsize=(8, 5))
    for number, (mode, rounds) in enumerate(curves.items()):
        for index, rows in enumerate(rounds):
            axes.plot(
                [row[0] for row in rows],
                [row[3] for row in rows],
                color=f"C{number}",
                label=mode if index == 0 else None,
            )
    axes.set_xlabel("seconds")
    axes.set_ylabel("server blocks beyond the unmutated corpus")
    axes.legend()
    figure.savefig(file, dpi=120)


def report(curves: dict[str, list[list[tuple[float, int, int, int]]]], seconds: float) -> None:
    """Median and spread of new blocks at half the time and at the end."""
    for moment in (seconds / 2, seconds):
        print(
            f"\nafter {moment:.0f} s: median (least to most) of {len(next(iter(curves.values())))}"
        )
        medians = {}
        for mode, rounds in curves.items():
            ends = [at(rows, moment) for rows in rounds]
            new = [end[2] for end in ends]
            medians[mode] = statistics.median(new)
            print(
                f"  {mode:10} new blocks {medians[mode]:8.0f} ({min(new)} to {max(new)})"
                f"   all blocks {statistics.median(end[1] for end in ends):8.0f}"
                f"   runs {statistics.median(end[0] for end in ends):7.0f}"
            )
        if medians.get("blind"):
            for mode, median in medians.items():
                print(f"  {mode} / blind: {median / medians['blind']:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--modes", nargs="+", default=list(DEFAULT), choices=list(MODES))
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "guidance")
    options = parser.parse_args()
    tests = len(list((ROOT / "corpus").glob("*.js")))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {options.jobs} at a time")
    known: set[str] = set()
    for number in range(2):  # twice: what depends on the moment is not new either
        base = options.out / f"corpus-{number}"
        campaign(base, 0, ["--blind", f"-runs={3 * tests}", "--blind-mutations", "0"])
        known.update(addresses(base))
    print(f"the unmutated corpus ({tests} tests): {len(known)} blocks", flush=True)
    work = [(mode, number) for number in range(options.rounds) for mode in options.modes]

    def one(item: tuple[str, int]) -> None:
        mode, number = item
        seed = str(number + 1)
        extra = ["--seed", seed] if mode == "blind" else [f"-seed={seed}"]
        summary = campaign(options.out / f"{mode}-{number}", options.seconds, MODES[mode] + extra)
        print(mode, number, summary["runs"], summary["coverage"], flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, work))
    curves = {
        mode: [curve(options.out / f"{mode}-{n}", known) for n in range(options.rounds)]
        for mode in options.modes
    }
    with (options.out / "results.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["mode", "round", "seconds", "runs", "blocks", "new"])
        for mode, rounds in curves.items():
            for number, rows in enumerate(rounds):
                writer.writerows([mode, number, *row] for row in rows)
    plot(curves, options.out / "results.png")
    report(curves, options.seconds)


if __name__ == "__main__":
    main()
