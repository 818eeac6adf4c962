"""Where a mutant enters the logic: the few nodes from which every difference comes."""

EQUAL, SELECT, HALF, ENTRY, BEYOND = range(5)


def entries(circuit, rtl, mutant):
    """Pairs of literals: if both of each are the same, every output is. `rtl` and `mutant` are the literals of the nodes of the same logic
    with and without the mutant. None: an output is the select itself.

    A select makes two halves of a choice, `select and after`, `not select and before`; where they come together is an entry. A half
    that goes elsewhere is one too (`after` is 0)."""
    kinds = [EQUAL] * len(rtl)
    found = set()
    for node, sides in enumerate(circuit.ands, circuit.inputs + 1):
        if rtl[node] == mutant[node]:
            continue
        kinds[node] = _kind(node, sides, kinds, rtl, mutant, found)
    # An input differs only if it is the select.
    for output in {literal >> 1 for literal in circuit.outputs}:
        if kinds[output] == SELECT or (output <= circuit.inputs and rtl[output] != mutant[output]):
            return None
        if kinds[output] == HALF:
            found.add(output)
    return [(rtl[node], mutant[node]) for node in sorted(found)]


def _kind(node, sides, kinds, rtl, mutant, found):
    if rtl[node] < 2 and mutant[node] < 2:
        return SELECT
    # The bits of the number of a mutant are constants that differ.
    one, other = (SELECT if rtl[s >> 1] != mutant[s >> 1] and rtl[s >> 1] < 2 and mutant[s >> 1] < 2 else kinds[s >> 1] for s in sides)
    if {one, other} == {SELECT, EQUAL}:
        return HALF
    if SELECT in (one, other) or one == other == HALF:
        found.add(node)
        return ENTRY
    found.update(side >> 1 for side, kind in zip(sides, (one, other)) if kind == HALF)
    return BEYOND
