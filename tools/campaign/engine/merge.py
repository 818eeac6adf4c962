# SPDX-License-Identifier: MIT OR Apache-2.0
"""Results of shards, put together: in any order, any number of times, with the same end."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from . import Refused
from .model import Job, Shard, digest
from .store import Broken, Store

SCHEMA = "merged/1"


@dataclasses.dataclass
class Part:
    """What is known of a job: the outcomes by key, so that one that comes twice counts once."""

    wanted: int
    outcomes: dict[str, dict[str, Any]] = dataclasses.field(default_factory=dict)
    runs: dict[str, dict[str, Any]] = dataclasses.field(default_factory=dict)


class Merge:
    """A merge in progress. `add` is commutative and idempotent."""

    def __init__(self, manifest: dict[str, Any]):
        self.commit: str = manifest["commit"]
        self.jobs = [Job.from_json(data) for data in manifest["jobs"]]
        self.parts = {job.name: Part(job.shards * len(job.items)) for job in self.jobs}
        self.keys = {shard.key: shard.job for job in self.jobs for shard in job.cut()}
        self.differ: set[str] = set()
        self.refused: dict[str, str] = {}

    def add(self, result: dict[str, Any]) -> None:
        """Takes a result in. One that belongs to no shard of the plan is left out: it is of other sizes."""
        key = result["key"]
        if result["commit"] != self.commit:
            raise Broken(f"of another commit, {result['commit']}")
        name = self.keys.get(key)
        if name is None:
            return
        part = self.parts[name]
        earlier = part.outcomes.get(key)
        if earlier is not None and digest(earlier) != digest(result["outcome"]):
            self.differ.add(key)
            # The same one wins whichever came first.
            if digest(earlier) <= digest(result["outcome"]):
                return
        part.outcomes[key] = result["outcome"]
        run = part.runs.get(key)
        if run is None or (run["cpu"], digest(run)) > (result["run"]["cpu"], digest(result["run"])):
            part.runs[key] = result["run"]

    def missing(self) -> list[str]:
        return [key for key, name in self.keys.items() if key not in self.parts[name].outcomes]

    def done(self) -> dict[str, Any]:
        """Returns the merged results. `outcome` is a function of the outcomes alone; `spent` is not."""
        jobs = {job.name: self.job(job) for job in self.jobs}
        failures = [failure for job in jobs.values() for failure in job.pop("failures")]
        outcome = {"commit": self.commit, "jobs": jobs, "groups": groups(failures), "differ": sorted(self.differ)}
        return {"schema": SCHEMA, "outcome": outcome, "failures": failures, "digest": digest(outcome), "missing": sorted(self.missing()),
                "refused": dict(sorted(self.refused.items())), "spent": {job.name: self.spent(job.name) for job in self.jobs}}

    def job(self, job: Job) -> dict[str, Any]:
        part = self.parts[job.name]
        counts: dict[str, int] = {}
        by_item: dict[str, dict[str, int]] = {}
        verdicts: dict[str, int] = {}
        named: dict[str, str] = {}
        owners: dict[str, str] = {}
        failures = []
        for key, outcome in sorted(part.outcomes.items()):
            owner = Shard.of_key(key).item
            item = by_item.setdefault(owner, {"shards": 0, "failed": 0})
            item["shards"] += 1
            item["failed"] += outcome["verdict"] != "pass"
            for name, count in outcome["counts"].items():
                counts[name] = counts.get(name, 0) + count
                item[name] = item.get(name, 0) + count
            for name, verdict in outcome["items"].items():
                if owners.setdefault(name, owner) != owner:
                    raise Refused(f"{job.name}: {owners[name]} and {owner} both have a verdict on {name}, and one of them would be lost")
                named[name] = verdict
            failures += [{**failure, "shard": key} for failure in outcome["failures"]]
        for verdict in named.values():
            short = verdict.split(" (")[0]
            verdicts[short] = verdicts.get(short, 0) + 1
        return {"about": job.about, "wanted": part.wanted, "shards": len(part.outcomes),
                "failed": sum(outcome["verdict"] != "pass" for outcome in part.outcomes.values()),
                "counts": dict(sorted(counts.items())), "items": dict(sorted(by_item.items())),
                "verdicts": dict(sorted(verdicts.items())), "named": named if len(named) <= 5000 else {}, "failures": failures}

    def spent(self, name: str) -> dict[str, Any]:
        runs = self.parts[name].runs.values()
        total = {field: round(sum(run[field] for run in runs), 3) for field in ("cpu", "seconds", "program", "before")}
        items: dict[str, float] = {}
        for key, run in sorted(self.parts[name].runs.items()):
            item = Shard.of_key(key).item
            items[item] = round(items.get(item, 0) + run["cpu"], 3)
        return {**total, "peak_kb": max((run["peak_kb"] for run in runs), default=0), "hosts": sorted({run["host"] for run in runs}), "items": items}


def groups(failures: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the failures by unit, kind, stage and field: a line for each bug, with the first of its shards."""
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for failure in failures:
        found.setdefault((failure["unit"], failure["kind"], failure["stage"], failure["field"]), []).append(failure)
    lines = []
    for name, all_of in sorted(found.items()):
        first = min(all_of, key=lambda one: json.dumps(one, sort_keys=True))
        lines.append({**dict(zip(("unit", "kind", "stage", "field"), name)), "times": len(all_of), "headline": first["headline"],
                      "repeat": first["repeat"], "capsule": first["capsule"], "report": first.get("report", ""), "shard": first["shard"],
                      "shards": sorted({one["shard"] for one in all_of})[:20]})
    return lines


def merge(store: Store) -> dict[str, Any]:
    """Merges the results of a campaign, without changing anything."""
    made = Merge(store.manifest())
    for path in store.files():
        try:
            made.add(Store.read(path, made.commit))
        except (Broken, OSError) as error:
            made.refused[str(path.relative_to(store.folder))] = str(error)
    return {**made.done(), "disagreements": store.disagreements()}
