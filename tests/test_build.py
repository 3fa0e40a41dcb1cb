"""From bytes to a test: determinism, locality, limits."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from samples import FOLDER, library, noise

from structure.build import HEADER, MAX_INPUT, RECORD, build, encode_base, to_text
from structure.corpus import load_corpus
from structure.draft import MAX_NODES, MAX_STATEMENTS
from structure.library import make_library
from structure.mutations import MUTATIONS
from structure.seeds import load_seeds
from structure.traversal import size

ROOT = Path(__file__).parent.parent
INPUTS = 4_000

DIGEST = f"""
import hashlib
from samples import library, noise
from structure.build import build
hasher = hashlib.sha256()
for index in range({INPUTS}):
    data = noise(index, index % 50)
    hasher.update(build(data, library()).text.encode("utf-8", "surrogatepass"))
print(hasher.hexdigest())
"""


def test_the_same_bytes_give_the_same_text_in_any_process() -> None:
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
        )
        for seed in ("1", "4242")
    ]
    digests = [process.communicate()[0] for process in processes]
    assert all(process.returncode == 0 for process in processes)
    assert digests[0] == digests[1]


def test_the_order_of_building_does_not_matter() -> None:
    fresh = make_library(load_corpus([FOLDER]), load_seeds())
    inputs = [noise(index, 100) for index in range(100)]
    forwards = [build(data, library()).text for data in inputs]
    backwards = [build(data, fresh).text for data in reversed(inputs)]
    assert forwards == backwards[::-1]


def test_no_input_is_the_first_test_unmutated() -> None:
    first = library().tests[0]
    test = build(b"", library())
    assert (test.sources, test.mutations) == ((first.name,), ())
    assert test.statements == tuple(piece.node for piece in first.pieces)
    assert to_text(test).startswith("try { step(1);\n    ")


def test_encode_base_is_the_whole_test_unmutated() -> None:
    for index, prepared in enumerate(library().tests):
        test = build(encode_base(index, library()), library())
        assert test.sources == (prepared.name,)
        assert test.mutations == ()
        assert test.statements == tuple(piece.node for piece in prepared.pieces)
    with pytest.raises(IndexError, match="no corpus test 3"):
        encode_base(3, library())


def test_almost_every_record_has_an_effect() -> None:
    applied = sum(
        len(build(noise(i, HEADER + 8 * RECORD), library()).mutations) for i in range(200)
    )
    assert applied > 0.9 * 8 * 200


def test_a_changed_byte_changes_little() -> None:
    """One byte of a record: in most cases at most one statement differs or has come or gone."""
    local = total = 0
    for index in range(200):
        base = encode_base(index % 3, library())
        data = bytearray(base + noise(index, 6 * RECORD))
        one = [piece.text for piece in build(bytes(data), library()).pieces]
        data[HEADER + noise(index, 8)[7] % (6 * RECORD)] ^= 1 << index % 8
        two = [piece.text for piece in build(bytes(data), library()).pieces]
        lost, new = set(one) - set(two), set(two) - set(one)
        total += 1
        local += len(lost) <= 2 and len(new) <= 2
    assert local / total > 0.85


def test_a_removed_record_is_a_removed_mutation() -> None:
    local = 0
    for index in range(100):
        records = noise(index, 5 * RECORD)
        base = encode_base(index % 3, library())
        whole = [piece.text for piece in build(base + records, library()).pieces]
        cut = records[: 2 * RECORD] + records[3 * RECORD :]
        less = [piece.text for piece in build(base + cut, library()).pieces]
        local += len(set(less) - set(whole)) <= 2
    assert local > 85


def test_a_partial_record_counts() -> None:
    base = encode_base(0, library())
    name, drop = next(
        (name, i) for i, (name, _, _) in enumerate(MUTATIONS) if name == "drop statement"
    )
    total = sum(weight for _, weight, _ in MUTATIONS)
    before = sum(weight for _, weight, _ in MUTATIONS[:drop])
    record = bytes([-(-before * 256 // total)])
    test = build(base + record, library())
    assert test.mutations == (name,)
    assert len(test.pieces) == len(build(base, library()).pieces) - 1


def test_no_input_is_a_monster() -> None:
    for index in range(40):
        test = build(noise(index, 3 * MAX_INPUT), library())
        assert len(test.pieces) <= MAX_STATEMENTS
        assert sum(size(node) for node in test.statements) <= MAX_NODES
        assert len(test.text) < 40 * MAX_NODES
        assert test.text == build(noise(index, 3 * MAX_INPUT)[:MAX_INPUT], library()).text


def test_the_same_mutation_again_and_again_meets_the_limits() -> None:
    for index in range(60):
        record = noise(index, RECORD)
        test = build(encode_base(index % 3, library()) + record * 64, library())
        assert sum(size(node) for node in test.statements) <= MAX_NODES
        assert test.text


def test_texts_compile_in_quickjs() -> None:
    quickjs = pytest.importorskip("quickjs")
    context = quickjs.Context()
    for index in range(400):
        text = build(noise(index, 4 + index % 160), library()).text
        context.eval(f"function t() {{\n{text}\n}}")


def test_no_mutation_touches_the_frame() -> None:
    for index in range(200):
        text = build(noise(index, 150), library()).text
        assert text.count("} catch (e) { skip(e); }\n") >= len(
            build(noise(index, 150), library()).pieces
        )
        assert "db =" not in text.replace("db = db", "")


def test_the_digest_covers_corpus_seeds_and_loops(tmp_path: Path) -> None:
    corpus, seeds = load_corpus([FOLDER]), load_seeds()
    assert make_library(corpus, seeds).digest == library().digest
    assert make_library(corpus, seeds, "unroll").digest != library().digest
    path = tmp_path / "seeds.toml"
    path.write_text("[[group]]\nrole = 'value'\nexpressions = ['1']\n")
    other = make_library(corpus, load_seeds(path))
    assert other.digest != library().digest
    assert hashlib.sha256(build(noise(1, 200), other).text.encode()).hexdigest()
