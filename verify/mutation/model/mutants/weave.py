"""Many mutants in one build: each function holds its body once for every mutant, and a number selects one of them."""

import re
from dataclasses import dataclass, field

from listing import Mutant

# What a woven crate gains: which mutant acts, and which functions are entered (for the requirements).
SELECTED = """
/// Which mutant acts.
#[doc(hidden)]
pub mod mutant {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

    const UNKNOWN: u32 = u32::MAX;
    const TRACE: u32 = u32::MAX - 1;
    static SELECTED: AtomicU32 = AtomicU32::new(UNKNOWN);
    static ENTERED: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];

    /// The number of the mutant; `function` is the number of the first one of the function that asks.
    #[inline]
    pub fn selected(function: u32) -> u32 {
        let selected = SELECTED.load(Relaxed);
        if selected < TRACE { selected } else { other(selected, function) }
    }

    #[cold]
    fn other(selected: u32, function: u32) -> u32 {
        if selected == TRACE {
            if !ENTERED[function as usize].swap(true, Relaxed) {
                eprintln!("entered {function}");
            }
            return 0;
        }
        let chosen = match std::env::var("MUTANT").as_deref() {
            Err(_) => 0,
            Ok("trace") => TRACE,
            Ok(number) => number.parse().unwrap_or_else(|_| std::process::exit(2)),
        };
        SELECTED.store(chosen, Relaxed);
        self::selected(function)
    }
}
"""


@dataclass
class Woven:
    """A file with mutants woven in."""

    text: str
    # First and last line of each mutant's copy, by its number.
    arms: dict[int, tuple[int, int]] = field(default_factory=dict)
    # The number under which a mutant's function tells that it is entered.
    functions: dict[int, int] = field(default_factory=dict)


class Source:
    """A file whose places are lines and columns."""

    def __init__(self, text: str):
        self.text = text
        self.starts = [0] + [at + 1 for at, char in enumerate(text) if char == "\n"]

    def at(self, point: tuple[int, int]) -> int:
        return self.starts[point[0] - 1] + point[1] - 1

    def body(self, mutant: Mutant) -> tuple[int, int]:
        """Between the braces of the mutant's function."""
        at, depth = self.text.index("fn ", self.at(mutant.body.first)), 0
        while depth or self.text[at] != "{":
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(self.text[at], 0)
            at += 1
        return at + 1, self.at(mutant.body.after) - 1

    def changed(self, mutant: Mutant, first: int, after: int) -> str:
        """This part of the text with the mutant in it."""
        start, end = self.at(mutant.place.first), self.at(mutant.place.after)
        assert first <= start <= end <= after, mutant.id
        return self.text[first:start] + mutant.replacement + self.text[end:after]


def weave(text: str, mutants: list[Mutant], constant: set[str]) -> Woven:
    """Weaves mutants into a file. Functions in `constant` have to stay `const`; their mutants must not be here."""
    source, pieces, woven, at = Source(text), [], Woven(""), 0
    line = 1

    def put(piece: str) -> None:
        nonlocal line
        # Whether a mutant acts is not known before the program runs.
        piece = re.sub(r"\bconst fn (\w+)", lambda found: found[0] if found[1] in constant else f"fn {found[1]}", piece)
        pieces.append(piece)
        line += piece.count("\n")

    functions: dict[tuple[int, int], list[Mutant]] = {}
    for mutant in mutants:
        functions.setdefault(source.body(mutant), []).append(mutant)
    for (first, after), group in sorted(functions.items()):
        assert first >= at, f"functions within functions: {group[0].id}"
        put(source.text[at:first])
        put(f"\nmatch crate::mutant::selected({group[0].number}) {{\n")
        for mutant in group:
            began = line
            put(f"{mutant.number} => {{\n{source.changed(mutant, first, after)}\n}}\n")
            woven.arms[mutant.number] = (began, line - 1)
            woven.functions[mutant.number] = group[0].number
        put(f"_ => {{\n{source.text[first:after]}\n}}\n}}\n")
        at = after
    put(source.text[at:])
    woven.text = "".join(pieces)
    return woven
