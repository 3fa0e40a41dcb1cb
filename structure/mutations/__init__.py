"""The table of mutations: a name, a weight and a function each.

A new mutation is one function in a file of this folder and one line here. A function changes one
node at a site (see targeting.at_site) or works on the statements of a draft.
"""

from __future__ import annotations

from structure.draft import Draft, Target
from structure.entropy import Entropy
from structure.mutations import (
    calls,
    elements,
    numbers,
    properties,
    replacing,
    statements,
    strings,
    wrapping,
)
from structure.mutations.targeting import Mutation, at_site


def nothing(_draft: Draft, _target: Target, _entropy: Entropy) -> bool:
    """What an exhausted entropy chooses."""
    return False


by_fragment = at_site(replacing.is_value, replacing.by_fragment)

# The first one is the calm one. One byte chooses, so the sum of the weights is 256 at most.
MUTATIONS: tuple[tuple[str, int, Mutation], ...] = (
    ("nothing", 1, nothing),
    ("replace by fragment", 40, by_fragment),
    ("replace by same kind", 5, at_site(replacing.is_loose, replacing.by_same_kind)),
    ("replace by other kind", 8, at_site(replacing.is_loose, replacing.by_other_kind)),
    ("replace by seed", 41, at_site(replacing.is_value, replacing.by_seed)),
    ("replace by any seed", 2, at_site(replacing.is_value, replacing.by_any_seed)),
    ("insert property", 20, at_site(properties.takes_more, properties.insert)),
    ("duplicate property", 5, at_site(properties.has_properties, properties.duplicate)),
    ("drop property", 5, at_site(properties.has_properties, properties.drop)),
    ("swap properties", 3, at_site(properties.has_two, properties.swap)),
    ("swap values", 3, at_site(properties.has_two, properties.swap_values)),
    ("rename property", 9, at_site(properties.has_field_names, properties.rename)),
    ("insert stage", 13, at_site(elements.is_pipeline, elements.insert)),
    ("insert element", 7, at_site(elements.has_elements, elements.insert)),
    ("duplicate element", 3, at_site(elements.has_elements, elements.duplicate)),
    ("drop element", 3, at_site(elements.has_elements, elements.drop)),
    ("swap elements", 3, at_site(elements.has_elements, elements.swap)),
    ("nudge number", 13, at_site(numbers.is_number, numbers.nudge)),
    ("edit string", 11, at_site(strings.is_string, strings.edit)),
    ("wrap", 13, at_site(wrapping.is_wrappable, wrapping.wrap)),
    ("relate method", 6, at_site(calls.has_relatives, calls.relate)),
    ("modify cursor", 9, at_site(calls.is_find, calls.modify_cursor)),
    ("add options", 5, at_site(calls.lacks_options, calls.add_options)),
    ("weave statements", 14, statements.weave),
    ("duplicate statement", 5, statements.duplicate),
    ("move statement", 4, statements.move),
    ("swap statements", 3, statements.swap),
    ("drop statement", 2, statements.drop),
)

# What a record does when its own mutation found nothing to change.
FALLBACK = ("replace by fragment", by_fragment)
