"""Which mutants are to be proven, and the file of proofs."""

import csv
import json
import random
from pathlib import Path

from .prove import METHOD

_SAID = {"equal": "equivalent", "different": "not proven; may differ in", "open": "not proven:"}


def run(mutants, wanted, results, proofs, prover):
    """Proves those survivors that are wanted and that no line of `proofs` names for this RTL, and the lines that are of other RTL; writes
    the file anew, without mutants that are no more. False: one that is proven for this RTL was killed."""
    rows, known, code = _rows(results), _known(proofs), prover.source.digest()
    by_id = {mutant.id: mutant for mutant in mutants}
    killed = {row["id"] for row in rows if row["verdict"] in ("killed", "disproved")}
    valid = {name for name, row in known.items() if row.get("code") == code}
    wrong = sorted(killed & valid)
    # What was proven of other RTL says nothing of this one.
    for name in killed & known.keys() - valid:
        del known[name]
        print(f"mutate: {name} was equivalent in other RTL, and was killed in this one: its line is left out")
    survived = [row["id"] for row in rows if row["id"] not in known]
    old = sorted(known.keys() - valid)
    todo = [by_id[name] for name in survived + old if name in by_id.keys() & wanted - killed]

    def told(mutant, verdict, why, seconds):
        # Time that is too short says nothing of an older proof.
        if prover.complete and (verdict == "equal" or (verdict == "different" and known.pop(mutant.id, None))):
            if verdict == "equal":
                known[mutant.id] = {"id": mutant.id, "method": METHOD, "seconds": f"{seconds:.0f}", "code": code}
            _write(proofs, known, by_id)
        _say(mutant, verdict, why, seconds)

    prover.prove(todo, told)
    if prover.complete:
        _write(proofs, known, by_id)
    for name in wrong:
        print(f"mutate: {name} is listed as equivalent and was killed")
    older = sum(row.get("code") != code for row in known.values())
    print(f"{len(known)} proofs, {older} of them of RTL whose code was another")
    return not wrong


def control(mutants, wanted, results, count, prover):
    """Tries to prove mutants that were killed. False: one is proven, so the prover is wrong."""
    by_id = {mutant.id: mutant for mutant in mutants}
    killed = sorted(row["id"] for row in _rows(results) if row["verdict"] == "killed" and row["id"] in wanted & by_id.keys())
    if not killed:
        raise SystemExit(f"mutate: {results} has no mutant that was killed, so there is nothing to control the prover with")
    chosen = random.Random(2007).sample(killed, min(count, len(killed)))
    proven = []

    def told(mutant, verdict, why, seconds):
        if verdict == "equal":
            proven.append(mutant.id)
        _say(mutant, verdict, why, seconds)

    prover.prove([by_id[name] for name in chosen], told)
    for name in proven:
        print(f"mutate: {name} was killed and is proven equivalent all the same: the prover is wrong")
    print(f"{len(proven)} of {len(chosen)} killed mutants proven equivalent")
    return not proven


def _rows(results):
    try:
        rows = [json.loads(line) for line in Path(results).read_text().splitlines()]
    except OSError as error:
        raise SystemExit(f"mutate: {results}: {error.strerror}: rtl-mutants writes it") from error
    return list(_by_id(rows, results).values())


def _known(proofs):
    try:
        rows = list(csv.DictReader(Path(proofs).read_text().splitlines()))
    except OSError as error:
        raise SystemExit(f"mutate: {proofs}: {error.strerror}: --proofs names the list of proofs") from error
    return _by_id(rows, proofs)


def _by_id(rows, file):
    found = {}
    for row in rows:
        if found.setdefault(row["id"], row) is not row:
            raise SystemExit(f"mutate: {file}: two lines are of {row['id']}")
    return found


def _say(mutant, verdict, why, seconds):
    place = f"{mutant.id}  rtl/{mutant.site.file}:{mutant.line}  {mutant.before} -> {mutant.site.after}"
    print(f"{place}: {_SAID[verdict]} {why}".rstrip() + f" ({seconds:.0f} s)", flush=True)


def _write(proofs, known, by_id):
    text = "id,method,seconds,code\n"
    text += "".join(f"{i},{row['method']},{row['seconds']},{row.get('code') or ''}\n" for i, row in sorted(known.items()) if i in by_id)
    Path(proofs).write_text(text)
