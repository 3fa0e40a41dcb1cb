"""Loading a corpus and the seeds; preparing statements."""

import os
from pathlib import Path

import pytest
from samples import FOLDER

from structure.corpus import MAX_FILE_BYTES, Corpus, EmptyCorpus, load_corpus
from structure.nodes import walk
from structure.parsing import parse
from structure.preparing import Loops, prepare
from structure.printing import to_javascript
from structure.seeds import SeedError, load_seeds


def reasons(corpus: Corpus) -> dict[str, str]:
    return {skipped.path.name: skipped.reason for skipped in corpus.skipped}


def prepared(source: str, loops: Loops = "cap") -> str:
    statements = prepare(parse(source)["body"], loops)
    return "\n".join(to_javascript(statement) for statement in statements)


def test_tests_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "b.js").write_text("db.b.drop();")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "z.js").write_text("db.z.drop(); db.z.insert({});")
    (tmp_path / "a" / "notes.txt").write_text("(")
    corpus = load_corpus([tmp_path])
    assert [test.name for test in corpus.tests] == ["a/z.js", "b.js"]
    assert len(corpus.tests[0].statements) == 2
    assert corpus.skipped == ()


def test_unusable_files_are_named_with_their_reason(tmp_path: Path) -> None:
    (tmp_path / "good.js").write_text("db.c.drop();")
    (tmp_path / "latin.js").write_bytes(b"db.c.insert({a: '\xe9'});")
    (tmp_path / "broken.js").write_text("db.c.insert({);")
    (tmp_path / "blank.js").write_text("// nothing\n")
    (tmp_path / "large.js").write_text(" " * (MAX_FILE_BYTES + 1))
    (tmp_path / "deep.js").write_text("x = " + "[" * 400 + "]" * 400)
    (tmp_path / "folder.js").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "self.js").symlink_to(tmp_path / "self.js")
    (tmp_path / "gone.js").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.js")
    corpus = load_corpus([tmp_path, tmp_path / "missing.js"])
    assert [test.name for test in corpus.tests] == ["good.js"]
    found = reasons(corpus)
    assert found.pop("latin.js").startswith("not UTF-8: byte 17")
    assert found.pop("broken.js")
    assert found.pop("blank.js") == "no statement"
    assert "larger than" in found.pop("large.js")
    assert "levels deep" in found.pop("deep.js")
    assert found.pop("self.js")
    assert found.pop("gone.js") == "no such file or folder"
    assert found.pop("missing.js") == "no such file or folder"
    assert found.pop("pipe.js") == "not a regular file"
    assert found == {}


def test_an_empty_corpus_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(EmptyCorpus, match=r"^the corpus is empty: no \*\.js under"):
        load_corpus([tmp_path])
    (tmp_path / "bad.js").write_text("(")
    with pytest.raises(EmptyCorpus, match=r"none of 1 files .* could be used.*bad\.js"):
        load_corpus([tmp_path])
    with pytest.raises(EmptyCorpus, match="no folder given"):
        load_corpus([])


def test_the_digest_covers_names_and_contents_only(tmp_path: Path) -> None:
    def digest(folder: str, name: str, text: str) -> str:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text)
        return load_corpus([tmp_path / folder]).digest

    first = digest("one", "a.js", "f();")
    assert digest("two", "a.js", "f();") == first
    assert digest("three", "b.js", "f();") != first
    assert digest("four", "a.js", "g();") != first


def test_a_file_given_twice_counts_once() -> None:
    corpus = load_corpus([FOLDER, FOLDER / "fruits.js"])
    assert len(corpus.tests) == len(load_corpus([FOLDER]).tests)


def test_branches_become_plain_statements() -> None:
    text = prepared(
        '"use strict"; import x from "y"; if (f()) { let a = 1; } else b();'
        "if (k) c(); switch (k) { case 1: d(); break; default: e(); }"
        "try { g(); } catch (e) { never(); } finally { h(); } throw i; out: { j(); }"
    )
    expected = ["f();", "var a = 1;", "b();", "c();", "d();", "e();", "g();", "h();", "j();"]
    assert text.splitlines() == expected


def test_a_wrapping_function_is_opened_and_functions_come_first() -> None:
    text = prepared("(function() { g(f()); function f() { if (x) { return 1; } return 2; } })();")
    assert text.startswith("function f()")
    assert "return 1;" in text
    assert text.endswith("g(f());")


@pytest.mark.parametrize(
    "loop",
    [
        "for (let i = 0; i < 9; i++) { f(i); }",
        "for (;;) f();",
        "for (x of y) f(x);",
        "for (const x in y) { f(x); }",
        "while (true) { f(); }",
        "do { f(); } while (true);",
        "function g() { while (true) { f(); } }",
        "h(function() { for (i = 0; ; i++) { if (i) continue; f(); } });",
    ],
)
def test_every_loop_is_capped(loop: str) -> None:
    text = prepared(loop)
    assert "n1++" in text
    assert "50" in text
    parse(text)
    unrolled = prepare(parse(loop)["body"], "unroll")
    if "function" not in loop:
        kinds = {node["type"] for statement in unrolled for node in walk(statement)}
        assert not any(kind.startswith(("For", "While", "Do")) for kind in kinds)


def test_capped_loops_run_as_meant_but_not_longer() -> None:
    quickjs = pytest.importorskip("quickjs")

    def count(source: str) -> int:
        text = prepared(source)
        return int(quickjs.Context().eval(f"var k = 0; {text}; k"))

    assert count("for (let i = 0; i < 9; i++) { k++; }") == 9
    assert count("for (;;) k++;") == 50
    assert count("do { k++; } while (false);") == 1
    assert count("do { k++; } while (k < 5);") == 5
    assert count("do k++; while (true);") == 50
    assert count("for (const x of [1, 2, 3]) k++;") == 3
    assert count("for (const x of Array(99)) k++;") == 50
    assert count("for (var i = 0; i < 60; i++) for (var j = 0; j < 60; j++) k++;") == 50 * 8
    assert count("a: for (const x of [1, 2]) { for (;;) { k++; continue a; } }") == 2 * 8
    assert count("(function() { a: for (const x of [1, 2]) for (;;) { k++; continue a; } })();") > 1
    assert (
        count("function f() { a: for (const x of [1, 2]) for (;;) { k++; continue a; } } f()") == 2
    )


def test_names_of_the_generated_test_are_not_hidden() -> None:
    text = prepared("var step = 1, o = {step, skip: step}; o.step = skip(step);")
    assert text == prepared("var step_ = 1, o = {step: step_, skip: step_}; o.step = skip_(step_);")


def test_the_seeds_parse() -> None:
    seeds = load_seeds()
    assert sum(len(found) for found in seeds.by_role.values()) > 400
    assert {"value", "match", "query", "update", "stage", "expression"} <= set(seeds.by_role)


def test_a_wrong_seed_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "seeds.toml"
    path.write_text("[[group]]\nname = 'n'\nrole = 'value'\nexpressions = [\n'1',\n'{a: ',\n]\n")
    with pytest.raises(SeedError, match=r"seeds\.toml, line 6: '{a: ' is not an expression"):
        load_seeds(path)
    path.write_text("[[group]]\nexpressions = []\n")
    with pytest.raises(SeedError, match="line 1: a group needs a role"):
        load_seeds(path)
    path.write_text("[[group]\n")
    with pytest.raises(SeedError, match="line 1"):
        load_seeds(path)
    path.write_text("[[group]]\nrole = 'value'\nexpressions = ['f(); g()']\n")
    with pytest.raises(SeedError, match="line 3"):
        load_seeds(path)
    with pytest.raises(SeedError, match="No such file"):
        load_seeds(tmp_path / "none.toml")
