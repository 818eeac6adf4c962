"""Mutants that are proven to change nothing, each with its proof."""

import tomllib
from pathlib import Path

from listing import Mutant


class Stale(Exception):
    """A proof is about no mutant that there is."""


def load(root: Path, unit: str, mutants: list[Mutant]) -> dict[str, str]:
    """The proofs of a unit's equivalent.toml by the name of the mutant. Lines move, so a mutant is named by its function, its
    change and the line as it was."""
    listed = tomllib.loads((root / "verify/mutation/model" / unit / "equivalent.toml").read_text())
    proofs = {}
    for entry in listed.get("equivalent", []):
        found = [m for m in mutants if m.file.endswith(entry["file"]) and m.before == entry["before"] and m.after == entry["after"]]
        if not found:
            raise Stale(f"equivalent.toml: there is no such mutant (any more): {entry['file']}: {entry['after']}")
        proofs |= {mutant.id: entry["proof"] for mutant in found}
    return proofs
