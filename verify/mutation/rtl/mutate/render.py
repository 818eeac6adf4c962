"""Writes source with mutants: all behind a select, or one in place."""

# A variable of every instance, set before its first evaluation.
SELECT = "lwp_mutant_pkg::sel"
PACKAGE = """// Which mutant is alive in this instance; 0: none.
package lwp_mutant_pkg;
  int unsigned sel /* verilator public_flat_rw */;
endpackage
"""


def one(text, site):
    """The file with this change made."""
    return text[: site.start] + _alone(text, site) + text[site.end :]


def _alone(text, site):
    if site.shape == "port":
        return f"{text[site.start : site.end]}({site.after})"
    if site.shape == "after":
        return f"begin {text[site.start : site.end]} {site.after} end"
    return site.after or ";" if site.shape == "statement" else f"({site.after})"


def selected(text, mutants):
    """The file with each of its mutants behind its number. Changes of the same place, or inside one another, exclude each other."""
    places = {}
    for mutant in mutants:
        places.setdefault((mutant.site.start, -mutant.site.end, mutant.site.shape == "expression"), []).append(mutant)
    pieces, _ = _nested(text, sorted(places.items()), 0, 0, len(text))
    return pieces


def _nested(text, places, at, start, end):
    """The text start..end with the places from index `at` on that lie inside; and the index of the first that does not."""
    pieces, here = [], start
    while at < len(places):
        (begin, stop, _), mutants = places[at]
        stop = -stop
        if begin >= end:
            break
        assert begin >= here and stop <= end, "changes overlap"
        pieces.append(text[here:begin])
        inner, at = _nested(text, places, at + 1, begin, stop)
        pieces.append(_choice(inner, mutants))
        here = stop
    pieces.append(text[here:end])
    return "".join(pieces), at


def _choice(original, mutants):
    shape = mutants[0].site.shape
    if shape in ("statement", "after"):
        followed = [mutant for mutant in mutants if mutant.site.shape == "after"]
        mutants = [mutant for mutant in mutants if mutant.site.shape == "statement"]
        dead = " || ".join(f"({SELECT} == {mutant.number})" for mutant in mutants if not mutant.site.after)
        choice = f"if (!({dead or 0})) begin {original} end"
        for mutant in mutants:
            if mutant.site.after:
                choice = f"if ({SELECT} == {mutant.number}) begin {mutant.site.after} end else {choice}"
        # In a block of its own: an `else` may follow.
        return f"begin {choice} {_followed(followed)}end"
    choice = original
    for mutant in mutants:
        choice = f"({SELECT} == {mutant.number} ? ({mutant.site.after}) : ({choice}))"
    return f"{original}{choice}" if shape == "port" else choice


def _followed(mutants):
    """What is done after the statement. There are many of them at a register, and most cycles are those of another mutant."""
    if not mutants:
        return ""
    numbers = [mutant.number for mutant in mutants]
    cases = " ".join(f"{mutant.number}: begin {mutant.site.after} end" for mutant in mutants)
    return f"if ({SELECT} >= {min(numbers)} && {SELECT} <= {max(numbers)}) case ({SELECT}) {cases} default: ; endcase "
