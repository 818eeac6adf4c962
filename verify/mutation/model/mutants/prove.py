#!/usr/bin/env python3
"""Proves with z3 that the mutants of each unit's equivalent.toml change nothing.

Each entry gives its variables with their widths (`given`), what may be assumed of them (`assume`), and both forms of the expression
(`was`, `is`) in vectors of 64 bits (or `bits`), in which a variable has zeros above its width: Python's operators and z3's LShR, ULT,
ULE, If, And, Or. An entry without `was` has a proof of another kind, which its `proof` names.

Exit codes: 0 all proven; 1 a claim is false: the values are printed for which the two differ; 2 no z3.
"""

import re
import sys
import tomllib
from pathlib import Path

try:
    import z3
except ImportError:
    print("error: no z3; run tools/scripts/setup mutants, and this with target/tools/z3/bin/python", file=sys.stderr)
    sys.exit(2)

WORDS = {"LShR": z3.LShR, "ULT": z3.ULT, "ULE": z3.ULE, "If": z3.If, "And": z3.And, "Or": z3.Or}


def differs(given: str, was: str, now: str, assume: str = "", bits: int = 64) -> z3.ModelRef | None:
    """Values for which the two expressions differ."""
    names = {}
    for name, width in re.findall(r"(\w+):(\d+)", given):
        names[name] = z3.ZeroExt(bits - int(width), z3.BitVec(name, int(width)))
    solver = z3.Solver()
    if assume:
        solver.add(eval(assume, WORDS | names))
    solver.add(eval(was, WORDS | names) != eval(now, WORDS | names))
    verdict = solver.check()
    if verdict == z3.unknown:
        raise SystemExit(f"z3 cannot tell: {was} = {now}")
    return solver.model() if verdict == z3.sat else None


def main() -> int:
    # A prover that proves everything proves nothing.
    assert differs("a:8 b:8", "a | b", "a ^ b") is not None and differs("a:8", "LShR(a << 60, 60)", "a") is not None
    lists = sorted(Path(__file__).resolve().parents[1].glob("*/equivalent.toml"))
    claims = [claim for path in lists for claim in tomllib.loads(path.read_text()).get("equivalent", [])]
    false = 0
    for claim in claims:
        if "was" not in claim:
            print(f"not by z3: {claim['file']}: {claim['after']}: {claim['proof']}")
            continue
        values = differs(claim["given"], claim["was"], claim["is"], claim.get("assume", ""), claim.get("bits", 64))
        print(f"{'proven' if values is None else 'FALSE'}: {claim['file']}: {claim['was']} = {claim['is']}")
        if values is not None:
            print(f"  they differ for {values}")
            false += 1
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
