# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the subcommands do."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import sys
from typing import Any

from . import Refused, after, jobs, nights, pages, plan, slurm, source
from .local import Local
from .merge import Merge, merge
from .model import Job, Shard
from .shard import age
from .store import Broken, Store, text, write

STOPPED = 130


def opened(arguments: argparse.Namespace) -> Store:
    """Returns the store of the directory of the command line; that of this commit if none is named."""
    folder = arguments.folder or plan.ROOT / "target/campaign" / source.commit(plan.ROOT)
    return Store(pathlib.Path(folder))


def run(arguments: argparse.Namespace) -> int:
    """`campaign run`: plans, runs what is missing, merges."""
    path = arguments.jobs_file or plan.LIST
    only = [name for name in (arguments.only or "").split(",") if name]
    if arguments.list:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        print(plan.jobs_text([table for table, _ in jobs.chosen(jobs.tables(path), only)]))
        return 0
    wanted, unprepared = plan.jobs(path, only, arguments.size, plan.ROOT, not arguments.no_build)
    store = opened(arguments)
    with store.alone():
        if slurm.submitted(store) and shutil.which("squeue"):
            still = slurm.active(store)
            if still:
                raise Refused(f"the jobs {', '.join(still)} of {store.folder} are still in Slurm's queue; `campaign status` shows them, "
                              "`scancel` ends them; nothing was changed")
        # What killed runs left; no run is in progress here.
        shutil.rmtree(store.folder / "scratch", ignore_errors=True)
        plan.begin(store, wanted, plan.ROOT, {"unprepared": unprepared})
        return (on_slurm if arguments.on == "slurm" else on_cores)(arguments, store, wanted)


def on_cores(arguments: argparse.Namespace, store: Store, wanted: list[Job]) -> int:
    local = Local(store, plan.ROOT, arguments.again)
    finished = local.all(plan.shards(wanted), arguments.jobs or os.cpu_count() or 1)
    concluded(store)
    if not finished:
        print("campaign: stopped; the same command goes on from here", file=sys.stderr)
        return STOPPED
    return told(store, wanted)


def on_slurm(arguments: argparse.Namespace, store: Store, wanted: list[Job]) -> int:
    by_name, commit = {job.name: job for job in wanted}, store.manifest()["commit"]
    wishes = slurm.Wishes(arguments.partition or "", arguments.time or "", arguments.at_once, arguments.tasks, tuple(arguments.sbatch),
                          arguments.wait, arguments.shared)
    for _ in range(arguments.rounds if arguments.wait else 1):
        missing = [shard for shard in plan.shards(wanted) if open_(store, commit, by_name[shard.job], shard)]
        if not missing:
            break
        numbers = slurm.submit(store, plan.ROOT, by_name, missing, wishes)
        print(f"campaign: {len(missing)} shards in the jobs {', '.join(numbers[:-1])}, merged by {numbers[-1]}", file=sys.stderr)
        if not arguments.wait:
            print(f"campaign: `campaign status --folder {store.folder}` tells how far they are", file=sys.stderr)
            return 0
        slurm.wait(numbers)
        slurm.seen(store, numbers)
    concluded(store)
    return told(store, wanted)


def open_(store: Store, commit: str, job: Job, shard: Shard) -> bool:
    """Whether a shard is still to be done."""
    result = store.done(shard, commit)
    return result is None or (not job.pure and result["outcome"]["verdict"] != "pass")


def concluded(store: Store, others: list[pathlib.Path] | None = None) -> dict[str, Any]:
    """Merges, groups failures, keeps the night and draws the pages."""
    merged = merge(store, others)
    manifest = store.manifest()
    outcomes = {}
    for data in manifest["jobs"]:
        if data["reader"] == "coverage":
            for shard in Job.from_json(data).cut():
                result = store.done(shard, manifest["commit"])
                if result:
                    outcomes[shard.key] = result["outcome"]
    merged["coverage"] = after.coverage(store, plan.ROOT, outcomes)
    grouped = after.triage(store, plan.ROOT, merged["failures"])
    merged["notes"] = plan.notes(store, merged["missing"])
    merged["unprepared"] = manifest["about"].get("unprepared", {})
    merged["triage_error"] = grouped.get("error", "")
    merged["bugs"] = after.bugs(store, merged, grouped)
    home = store.folder.resolve().parent
    until = nights.keep(home / "nights", store.folder.resolve().name, merged, manifest["about"])
    name = store.folder.resolve().name
    after.copied(store, merged["bugs"], home / "pages" / f"{name}-failures")
    pages.draw(home / "pages", merged, until, nights.earlier(home / "nights"))
    write(store.folder / "merged.json", text(merged), replace=True)
    return merged


def all_jobs(store: Store) -> list[Job]:
    return [Job.from_json(data) for data in store.manifest()["jobs"]]


def told(store: Store, wanted: list[Job]) -> int:
    """Prints the merged results; returns the exit code for the jobs that were wanted."""
    merged = json.loads((store.folder / "merged.json").read_bytes())
    print(plan.summary(merged))
    home = store.folder.resolve().parent
    if any(job["failed"] for job in merged["outcome"]["jobs"].values()):
        print(f"output of what failed: {store.folder / 'logs'}")
    print(f"pages: {home / 'pages' / store.folder.resolve().name}.html")
    if merged["missing"]:
        print(f"campaign: {len(merged['missing'])} shards have no result; the same command goes on with them", file=sys.stderr)
        for note in plan.notes(store, merged["missing"])[:5]:
            print(f"campaign: {note}", file=sys.stderr)
    return plan.code(merged, wanted)


def merged_(arguments: argparse.Namespace) -> int:
    """`campaign merge`."""
    store = opened(arguments)
    commit = store.manifest()["commit"]
    for folder in arguments.other:
        other = Store(pathlib.Path(folder)).manifest()
        if other["commit"] != commit:
            raise Refused(f"{folder} is a campaign of commit {other['commit']}, not of {commit}; nothing was merged")
    concluded(store, [pathlib.Path(folder) for folder in arguments.other])
    return told(store, all_jobs(store))


def status(arguments: argparse.Namespace) -> int:
    """`campaign status`: how far it is, without changing anything."""
    store = opened(arguments)
    made = Merge(store.manifest())
    for path in store.files():
        try:
            made.add(Store.read(path, made.commit))
        except (Broken, FileNotFoundError) as error:
            made.refused[str(path.relative_to(store.folder))] = str(error)
    merged = {**made.done(), "disagreements": store.disagreements()}
    print(f"commit {made.commit}, {store.folder}")
    print(plan.summary(merged))
    if slurm.submitted(store) and shutil.which("squeue"):
        print(f"in Slurm's queue: {', '.join(slurm.active(store)) or 'nothing'}")
    for note in plan.notes(store, merged["missing"])[:20]:
        print(f"without an outcome: {note}")
    return plan.code(merged, all_jobs(store))


def verify(arguments: argparse.Namespace) -> int:
    """`campaign verify`: runs shards again that have a result, and compares."""
    store = opened(arguments)
    manifest = store.manifest()
    with store.alone():
        pure = [job for job in all_jobs(store) if job.pure]
        done = [shard for shard in plan.shards(pure) if store.done(shard, manifest["commit"])]
        chosen = random.Random(arguments.seed).sample(done, min(arguments.shards, len(done)))
        local = Local(store, plan.ROOT, again=True)
        finished = local.all(chosen, arguments.jobs or os.cpu_count() or 1)
    print(f"{local.ended.get('agrees', 0)} of {len(chosen)} shards agree with their first run")
    if not finished:
        return STOPPED
    return 0 if chosen and local.ended.get("agrees", 0) == len(chosen) else 1


def task(arguments: argparse.Namespace) -> int:
    """`campaign task`: the shards of a task of an array, one after the other."""
    store = Store(pathlib.Path(arguments.folder))
    deal = json.loads(pathlib.Path(arguments.deal).read_bytes())
    number = slurm.task_number()
    if number >= len(deal):
        raise Refused(f"{arguments.deal} has {len(deal)} tasks, none of number {number}")
    local = Local(store, plan.ROOT)
    local.worker.ahead = age()
    finished = local.all([Shard.of_key(key) for key in deal[number]], 1)
    if not finished:
        return STOPPED + 13
    return 75 if local.errors else 0
