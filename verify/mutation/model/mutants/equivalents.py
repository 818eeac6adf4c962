"""Mutants that are proven to change nothing, each with its proof."""

import tomllib
from pathlib import Path

from judge import Verdict
from listing import MODEL, Mutant


class Stale(Exception):
    """A proof is not about the mutants that there are."""


def load(root: Path, unit: str, mutants: list[Mutant]) -> dict[str, str]:
    """The proofs of a unit's equivalent.toml by the name of the mutant. Lines move, so a mutant is named by its file, its function, its
    change and the line as it was. A proof of several mutants that read the same says how many (`count`)."""
    listed = tomllib.loads((root / "verify/mutation/model" / unit / "equivalent.toml").read_text())
    proofs: dict[str, str] = {}
    for entry in listed.get("equivalent", []):
        named = (MODEL + entry["file"], entry["function"], entry["before"], entry["after"])
        found = [m.id for m in mutants if (m.file, m.function, m.before, m.after) == named]
        if len(found) != entry.get("count", 1):
            raise Stale(f"equivalent.toml: {len(found)} mutants instead of {entry.get('count', 1)}: {entry['file']}: {entry['function']}: {entry['after']}")
        if again := [name for name in found if name in proofs]:
            raise Stale(f"equivalent.toml: two proofs of {again[0]}")
        proofs |= dict.fromkeys(found, entry["proof"])
    return proofs


def apply(proofs: dict[str, str], verdicts: list[Verdict]) -> list[str]:
    """Marks what survives and has a proof. Returns a line for each mutant whose proof is wrong: it was noticed, or is none."""
    wrong = []
    for verdict in verdicts:
        if verdict.mutant.id not in proofs:
            continue
        if verdict.verdict == "survived":
            verdict.verdict, verdict.why = "equivalent", proofs[verdict.mutant.id]
        else:
            how = ", ".join(verdict.killed_by)
            wrong.append(f"{verdict.mutant.id} is listed as equivalent and is {verdict.verdict}" + (f" by {how}" if how else ""))
    return wrong
