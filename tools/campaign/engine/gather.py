# SPDX-License-Identifier: MIT OR Apache-2.0
"""Results of a campaign that ran elsewhere, taken into this one, as if they had been run here."""

from __future__ import annotations

from typing import Any

from .model import Job, Shard
from .shard import place
from .store import Broken, Store, joined


def imported(store: Store, other: Store) -> str:
    """Takes the jobs and results of another directory of the same commit. Returns how many came, and how many did not."""
    mine, theirs = store.manifest(), other.manifest()
    jobs = joined([Job.from_json(one) for one in theirs["jobs"]], [Job.from_json(one) for one in mine["jobs"]])
    store.plan(mine["commit"], jobs, mine["programs"], mine["about"])
    of_plan = {shard.key: (shard, job) for job in jobs for shard in job.cut()}
    counts = {"taken": 0, "there already": 0, "different": 0, "of no job here": 0, "not whole": 0}
    for path in other.files():
        try:
            result = Store.read(path, mine["commit"])
            found = of_plan.get(result["key"])
            how = taken(store, other, result, *found) if found else "of no job here"
        except (Broken, OSError):
            how = "not whole"
        counts[how] += 1
    return ", ".join(f"{count} results {what}" for what, count in counts.items() if count) or "no results"


def taken(store: Store, other: Store, result: dict[str, Any], shard: Shard, job: Job) -> str:
    """Takes one result, with its artefacts, capsules and log. Of a job that is not pure a pass takes the place of a failure."""
    earlier = store.done(shard, result["commit"])
    replaces = not job.pure and earlier is not None and earlier["outcome"]["verdict"] != "pass" and result["outcome"]["verdict"] == "pass"
    if earlier is None or replaces:
        for name in result["outcome"]["artefacts"]:
            place(other.artefact(result, name), store.folder / result["outcome"]["artefacts"][name])
        log = "logs/" + shard.file.removesuffix(".json") + ".log"
        for name in [*(failure["capsule"] for failure in result["outcome"]["failures"] if failure["capsule"]), log]:
            if (other.folder / name).exists():
                place(other.folder / name, store.folder / name)
    elif not job.pure:
        return "there already"
    how = store.put(shard, {key: value for key, value in result.items() if key != "digest"}, replace=replaces)
    return {"stored": "taken", "agrees": "there already", "differs": "different"}[how]
