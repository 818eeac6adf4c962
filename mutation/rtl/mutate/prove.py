"""Proves mutants equivalent: from every state and for all inputs, the mutant does what the RTL does.

First the module with those below it, with free inputs and registers. If that is not enough, the whole unit, in states in which its
assertions hold: they are invariants. Both in each build that the properties run."""

import csv
import json
import re
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .evert import evert
from .render import one
from .source import BUILDS

NAMES = ("RetireLanes", "EventSlots", "LatencyBits")
_PROVEN = "SAT proof finished - no model found: SUCCESS!"
METHODS = {"module": "every state of the module", "unit": "every state of the unit in which the assertions hold"}


class Prover:
    """Runs Yosys in folders below `work`, which has to lie below the folder that it is started in: it sees no others."""

    def __init__(self, source, yosys, work, seconds, methods=None):
        self.source, self.yosys, self.work, self.seconds = source, str(yosys), Path(work), seconds
        self.methods = methods or list(METHODS)

    def prove(self, mutant):
        """Method and seconds, or None and why not."""
        began = time.monotonic()
        why = "?"
        for method in self.methods:
            module = mutant.module if method == "module" else "lwp"
            # The package is no module; the whole unit is what `unit` looks at.
            if module == "lwp_pkg":
                continue
            answers = []
            for build in BUILDS:
                answers.append(self._equal(mutant, module, build, assume=method == "unit"))
                if answers[-1] != "equal":
                    break
            why = answers[-1]
            if why == "equal":
                return method, time.monotonic() - began
        return None, why

    def _equal(self, mutant, module, build, assume):
        self.work.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            folder = Path(folder)
            for side in ("gold", "gate"):
                self._write(mutant, folder / side, side)
            said = self._yosys(folder, "".join(self._read(module, build, side) for side in ("gold", "gate")))
            if not (folder / "gate.il").exists():
                return "the mutant does not elaborate: " + _error(said)
            for side in ("gold", "gate"):
                path = folder / f"{side}.il"
                path.write_text(evert(path.read_text()))
            said = self._yosys(folder, self._miter(assume))
        if _PROVEN in said:
            return "equal"
        return "different" if "model found: FAIL" in said else "open: " + _error(said)

    def _write(self, mutant, folder, side):
        folder.mkdir()
        for file in self.source.files:
            text = self.source.texts[file]
            if side == "gate" and file == mutant.site.file:
                text = one(text, mutant.site)
            (folder / Path(file).name).write_text(text)

    def _read(self, module, build, side):
        text = self.source.texts[f"lwp/{module}.sv"]
        given = [f"-G {name}={value}" for name, value in zip(NAMES, build) if re.search(rf"parameter int unsigned {name}\b", text)]
        files = " ".join(f"{side}/{Path(file).name}" for file in self.source.files)
        # The unit's assertions are part of the RTL; those of the mutant say nothing here.
        checks = "chformal -assert2assume" if side == "gold" else "chformal -remove"
        return (
            f"read_slang --threads 1 -U SYNTHESIS --top {module} {' '.join(given)} {files}\nproc -noopt\nflatten\n{checks}\n"
            f"rename {module} {side}\nwrite_rtlil {side}.il\ndesign -reset\n"
        )

    def _miter(self, assume):
        remove, option = ("", "-set-assumes ") if assume else ("chformal -remove\n", "")
        return (
            "read_rtlil gold.il\nread_rtlil gate.il\nmiter -equiv -flatten gold gate miter\nhierarchy -top miter\n"
            f"{remove}opt_clean\nopt -full -share_all\nsat {option}-timeout {self.seconds} -prove trigger 0 miter\n"
        )

    def _yosys(self, folder, script):
        (folder / "script.ys").write_text(script)
        done = subprocess.run([self.yosys, "-Q", "-T", "-s", "script.ys"], cwd=folder, capture_output=True, text=True)
        return done.stdout + done.stderr


def _error(said):
    errors = [line for line in said.splitlines() if "ERROR" in line or "timeout" in line.lower()]
    return errors[0] if errors else "Yosys says nothing of it"


def run(mutants, wanted, results, proofs, prover, jobs):
    """Proves those survivors that are wanted and that no line of `proofs` names; writes the file anew, without mutants that are no
    more. False: one that is listed there was killed."""
    known = {row["id"]: row for row in csv.DictReader(Path(proofs).read_text().splitlines())}
    by_id = {mutant.id: mutant for mutant in mutants}
    rows = [json.loads(line) for line in Path(results).read_text().splitlines()]
    killed = {row["id"] for row in rows if row["verdict"] == "killed"}
    wrong = sorted(killed & known.keys())
    todo = [by_id[row["id"]] for row in rows if row["id"] in by_id.keys() and row["id"] in wanted - killed - known.keys()]
    with ThreadPoolExecutor(jobs) as pool:
        for mutant, (method, more) in zip(todo, pool.map(prover.prove, todo)):
            if method:
                known[mutant.id] = {"id": mutant.id, "method": method, "seconds": f"{more:.0f}"}
                _write(proofs, known, by_id)
            said = f"equivalent ({METHODS[method]}), {more:.0f} s" if method else f"not proven: {more}"
            print(f"{mutant.id}  rtl/{mutant.site.file}:{mutant.line}  {mutant.before} -> {mutant.site.after}: {said}", flush=True)
    for name in wrong:
        print(f"mutate: {name} is listed as equivalent and was killed")
    return not wrong


def _write(proofs, known, by_id):
    text = "id,method,seconds\n"
    text += "".join(f"{i},{row['method']},{row['seconds']}\n" for i, row in sorted(known.items()) if i in by_id)
    Path(proofs).write_text(text)
