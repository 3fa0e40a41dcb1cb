"""Server coverage in a real campaign: on a stock server by default, and its reports."""

import json
from pathlib import Path

import pytest
from processes import run

from harness.coverage.source import choose
from harness.exits import Problem
from harness.server.locate import find_mongod

MONGOD = str(find_mongod(None, {"PATH": ""}))


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small corpus under breakpoints; its folder has summary.json and the coverage report."""
    folder = tmp_path_factory.mktemp("campaign")
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "plain.js").write_text("db.c.insert({a: 1}); db.c.find({a: {$gt: 0}}).toArray();")
    (corpus / "lookup.js").write_text(
        "db.c.insert({a: 1});\n"
        "db.c.aggregate([{$lookup: {from: 'd', localField: 'a', foreignField: 'b', as: 'x'}}]);"
    )
    done = run(
        "fuzz.py", "-runs=60", "--no-default-corpus", "--corpus", str(corpus),
        "--crashes", str(folder / "crashes"), "--json", str(folder / "summary.json"),
        "--coverage-report", str(folder),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "coverage: blocks (breakpoints in a stock mongod)" in done.stdout
    return folder


def test_blocks_are_the_default_and_counted(campaign: Path) -> None:
    coverage = json.loads((campaign / "summary.json").read_text())["coverage"]
    assert coverage["source"] == "blocks"
    assert coverage["blocks"] > 10_000 > coverage["functions"] > 1000


def test_libfuzzer_sees_them(campaign: Path) -> None:
    summary = json.loads((campaign / "summary.json").read_text())
    assert summary["features"] > 1000


def test_the_report_names_the_servers_sources(campaign: Path) -> None:
    report = (campaign / "report.txt").read_text()
    assert "src/mongo/db/pipeline" in report
    assert "mongo::" in report
    blocks = (campaign / "blocks.txt").read_text().split()
    summary = json.loads((campaign / "summary.json").read_text())
    assert len(blocks) == len(set(blocks)) == summary["coverage"]["blocks"]


def test_replay_lists_the_functions_of_one_test(campaign: Path) -> None:
    listed = {}
    for name in ("plain", "lookup"):
        test = campaign / "corpus" / f"{name}.js"
        done = run("replay.py", "--coverage", str(test))
        assert done.returncode == 0, done.stdout
        listed[name] = done.stdout
    assert "DocumentSourceLookUp" in listed["lookup"]
    assert "DocumentSourceLookUp" not in listed["plain"]


def test_the_source_is_chosen_and_says_why() -> None:
    assert choose("auto", MONGOD).name == "blocks"
    assert choose("auto", "").name == "replies"
    assert "not ours" in choose("auto", "").why
    assert choose("replies", MONGOD).name == "replies"
    assert choose("functions", MONGOD).name == "functions"
    with pytest.raises(Problem, match="sanitize-coverage"):
        choose("sanitizer", MONGOD)
    with pytest.raises(Problem, match="not ours"):
        choose("blocks", "")
