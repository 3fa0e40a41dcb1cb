"""Every mutation by itself, on every sample."""

import copy
import re

import pytest
from samples import library, noise

from structure.draft import Draft, Target
from structure.entropy import Entropy
from structure.mutations import MUTATIONS
from structure.mutations.targeting import Mutation
from structure.nodes import walk
from structure.parsing import parse
from structure.pieces import PreparedTest
from structure.printing import to_javascript
from structure.roles import sites
from structure.traversal import size

ROUNDS = 40


def draft_of(host: PreparedTest) -> Draft:
    return Draft(library(), host, [[piece] for piece in host.pieces], {host.name: None})


@pytest.mark.parametrize(("name", "mutation"), [(row[0], row[2]) for row in MUTATIONS[1:]])
def test_a_mutation_yields_statements_that_print_and_parse_back(
    name: str, mutation: Mutation
) -> None:
    before = copy.deepcopy([[piece.node for piece in test.pieces] for test in library().tests])
    effects = 0
    for index in range(ROUNDS):
        host = library().tests[index % len(library().tests)]
        draft = draft_of(host)
        data = noise(index, 24)
        target = Target(data[0] * len(draft.slots) >> 8, data[1])
        if not mutation(draft, target, Entropy(data[2:])):
            continue
        texts = [piece.text for piece in draft.pieces()]
        effects += texts != [piece.text for piece in host.pieces]
        for piece in draft.pieces():
            again = parse(piece.text)["body"]
            assert "".join(to_javascript(node) for node in again).strip() == piece.text.strip()
        assert draft.nodes == sum(size(piece.node) for piece in draft.pieces())
        assert draft.statements == len(draft.pieces())
    assert effects >= ROUNDS // 4, f"{name} seldom changes anything"
    # The corpus is shared by all tests that are built.
    after = [[piece.node for piece in test.pieces] for test in library().tests]
    assert after == before


@pytest.mark.parametrize("mutation", [row[2] for row in MUTATIONS[1:]])
def test_a_mutation_is_calm_without_entropy(mutation: Mutation) -> None:
    for host in library().tests:
        draft = draft_of(host)
        mutation(draft, Target(0), Entropy(b""))
        for piece in draft.pieces():
            parse(piece.text)


def test_the_table_is_well_formed() -> None:
    names = [name for name, _, _ in MUTATIONS]
    assert len(set(names)) == len(names)
    assert names[0] == "nothing"
    assert all(weight > 0 for _, weight, _ in MUTATIONS)
    # One byte chooses: with a larger sum some would never be chosen.
    assert sum(weight for _, weight, _ in MUTATIONS) <= 256


def marked(source: str) -> dict[str, str]:
    """Text of each marked node -> its role."""
    return {to_javascript(site.node): site.role for site in sites(parse(source)["body"][0])}


def test_roles_follow_the_position() -> None:
    found = marked(
        "db.c.aggregate([{$match: {a: {$gt: 1}}}, {$lookup: {from: 'd', pipeline: []}},"
        " {$group: {_id: '$a'}}], {allowDiskUse: true});"
    )
    assert found["{ a: { $gt: 1 } }"] == "query"
    assert found["{ $gt: 1 }"] == "match"
    assert found["1"] == "value"
    assert found["[]"] == "pipeline"
    assert found['"d"'] == "collection"
    assert found['"$a"'] == "expression"
    assert found["{ allowDiskUse: true }"] == "aggregate options"
    found = marked("bulk.find({a: 1}).updateOne({$set: {b: 2}});")
    assert (found["{ a: 1 }"], found["{ $set: { b: 2 } }"]) == ("query", "update")
    found = marked("db.runCommand({find: 'c', filter: {a: 1}});")
    assert (found['"c"'], found["{ a: 1 }"]) == ("collection", "query")


def test_expected_values_and_drops_are_no_targets() -> None:
    found = marked("assert.eq(db.c.find({a: 1}).toArray(), [{a: 1, b: 7}]);")
    assert "{ a: 1 }" in found
    assert "7" not in found
    assert not marked("db.c.drop();")
    assert "99" not in marked('db.c.insert({a: "x".repeat(99)});')


def test_fragments_mean_the_same_in_any_test() -> None:
    pool = library().pool
    everything = [node for found in pool.by_kind.values() for node in found]
    assert everything
    for node in everything:
        names = {inner["name"] for inner in walk(node) if inner["type"] == "Identifier"}
        assert not names & {"coll", "t", "b", "stage", "i"}, to_javascript(node)
    texts = [to_javascript(node) for found in pool.by_role.values() for node in found]
    assert any(re.search(r"\$lookup", text) for text in texts)
