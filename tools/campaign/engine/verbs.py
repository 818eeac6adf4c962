# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the subcommands do."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import shutil
from typing import Any

from . import Refused, after, jobs, nights, pages, plan, slurm, source
from .gather import imported
from .local import Local
from .merge import merge
from .model import Job, Shard
from .shard import age
from .store import Store, held, text, write
from .terminal import quiet, say, tell

STOPPED = 130


def opened(arguments: argparse.Namespace) -> Store:
    """Returns the store of the directory of the command line; that of this commit if none is named."""
    folder = arguments.folder or plan.ROOT / "target/campaign" / source.commit(plan.ROOT)
    return Store(pathlib.Path(folder))


def run(arguments: argparse.Namespace) -> int:
    """`campaign run`: plans, runs what is missing, merges."""
    path = arguments.jobs_file or plan.LIST
    only = [name for name in (arguments.only or "").split(",") if name]
    if arguments.only is not None and not only:
        raise Refused("--only names no job; leave it out for all of them")
    if arguments.rounds < 1:
        raise Refused(f"--rounds {arguments.rounds}: once at least is wanted")
    if arguments.list:
        pairs = jobs.chosen(jobs.tables(path), only)
        for table, item in pairs:
            jobs.early(plan.ROOT, table, item)
        say(plan.jobs_text([table for table, _ in pairs]))
        return 0
    store = opened(arguments)
    store.usable()
    source.outside(plan.ROOT, store.folder)
    pages.ours(store.folder.parent / "pages")
    wanted, unprepared = plan.jobs(path, only, arguments.size, plan.ROOT, not arguments.no_build)
    with store.alone():
        still = slurm.active(store)
        if still:
            raise Refused(f"the jobs {', '.join(still)} of {store.folder} are still in Slurm's queue; `campaign status` shows them, "
                          "`scancel` ends them; nothing was changed")
        plan.begin(store, wanted, plan.ROOT, {"unprepared": unprepared})
        # What killed runs left; no run is in progress here.
        shutil.rmtree(store.folder / "scratch", ignore_errors=True)
        return (on_slurm if arguments.on == "slurm" else on_cores)(arguments, store, wanted)


def on_cores(arguments: argparse.Namespace, store: Store, wanted: list[Job]) -> int:
    local = Local(store, plan.ROOT, arguments.again)
    finished = local.all(plan.shards(wanted), arguments.jobs or os.cpu_count() or 1)
    concluded(store)
    if not finished:
        tell("campaign: stopped; the same command goes on from here")
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
        tell(f"campaign: {len(missing)} shards in the jobs {', '.join(numbers[:-1])}, merged by {numbers[-1]}")
        if not arguments.wait:
            tell(f"campaign: `campaign status --folder {store.folder}` tells how far they are")
            return 0
        slurm.wait(numbers)
        slurm.seen(store, numbers)
    concluded(store)
    return told(store, wanted)


def open_(store: Store, commit: str, job: Job, shard: Shard) -> bool:
    """Whether a shard is still to be done."""
    result = store.done(shard, commit)
    return result is None or (not job.pure and result["outcome"]["verdict"] != "pass")


def concluded(store: Store) -> dict[str, Any]:
    """Merges, groups failures, keeps the night and draws the pages; one process at a time."""
    with held(store.folder / "merge.lock"):
        return conclusion(store)


def conclusion(store: Store) -> dict[str, Any]:
    merged = merge(store)
    manifest = store.manifest()
    counted = [Job.from_json(data) for data in manifest["jobs"] if data["reader"] == "coverage"]
    results = [store.done(shard, manifest["commit"]) for job in counted for shard in job.cut()]
    merged["coverage"] = after.coverage(store, plan.ROOT, [result for result in results if result])
    grouped = after.triage(store, plan.ROOT, merged["failures"])
    merged["notes"] = plan.notes(store, merged["missing"])
    merged["unprepared"] = manifest["about"].get("unprepared", {})
    merged["triage_error"] = grouped.get("error", "")
    merged["bugs"] = after.bugs(store, merged, grouped)
    home, name = store.folder.parent, store.folder.name
    pages.ours(home / "pages")
    until = nights.keep(home / "nights", name, merged, manifest["about"])
    after.copied(store, merged["bugs"], home / "pages" / f"{name}-failures")
    pages.draw(home / "pages", merged, until, nights.earlier(home / "nights"))
    write(store.folder / "merged.json", text(merged), replace=True)
    return merged


def all_jobs(store: Store) -> list[Job]:
    return [Job.from_json(data) for data in store.manifest()["jobs"]]


def told(store: Store, wanted: list[Job]) -> int:
    """Prints the merged results; returns the exit code for the jobs that were wanted."""
    merged = json.loads((store.folder / "merged.json").read_bytes())
    say(plan.summary(merged))
    if any(job["failed"] for job in merged["outcome"]["jobs"].values()):
        say(f"output of what failed: {store.folder / 'logs'}")
    say(f"pages: {store.folder.parent / 'pages' / store.folder.name}.html")
    if merged["missing"]:
        mine = {shard.key for job in wanted for shard in job.cut()} & set(merged["missing"])
        if len(mine) == len(merged["missing"]):
            how = "the same command goes on with them"
        elif mine:
            how = f"the same command goes on with {len(mine)} of them, the others are not of what it runs"
        else:
            how = "none is of what this command runs"
        tell(f"campaign: {len(merged['missing'])} shards have no result; {how}")
        for note in plan.notes(store, mine)[:5]:
            tell(f"campaign: {note}")
    return plan.code(merged, wanted)


def merged_(arguments: argparse.Namespace) -> int:
    """`campaign merge`."""
    store = opened(arguments)
    commit = store.manifest()["commit"]
    others = [Store(pathlib.Path(folder)) for folder in arguments.other]
    for other in others:
        if other.manifest()["commit"] != commit:
            raise Refused(f"{other.folder} is a campaign of commit {other.manifest()['commit']}, not of {commit}; nothing was merged")
    if others:
        with store.alone():
            for other in others:
                tell(f"campaign: {other.folder}: {imported(store, other)}")
    concluded(store)
    return told(store, all_jobs(store))


def status(arguments: argparse.Namespace) -> int:
    """`campaign status`: how far it is, without changing anything."""
    store = opened(arguments)
    merged = {**merge(store), "unprepared": store.manifest()["about"].get("unprepared", {})}
    say(f"commit {merged['outcome']['commit']}, {store.folder}")
    say(plan.summary(merged))
    if slurm.submitted(store) and shutil.which("squeue"):
        say(f"in Slurm's queue: {', '.join(slurm.active(store)) or 'nothing'}")
    for note in plan.notes(store, merged["missing"])[:20]:
        say(f"without an outcome: {quiet(note)}")
    return plan.code(merged, all_jobs(store))


def verify(arguments: argparse.Namespace) -> int:
    """`campaign verify`: runs shards again that have a result, and compares."""
    store = opened(arguments)
    manifest = store.of_commit(source.commit(plan.ROOT))
    with store.alone():
        pure = [job for job in all_jobs(store) if job.pure]
        done = [shard for shard in plan.shards(pure) if store.done(shard, manifest["commit"])]
        chosen = random.Random(arguments.seed).sample(done, min(arguments.shards, len(done)))
        local = Local(store, plan.ROOT, again=True)
        finished = local.all(chosen, arguments.jobs or os.cpu_count() or 1)
    say(f"{local.ended.get('agrees', 0)} of {len(chosen)} shards agree with their first run")
    if not finished:
        return STOPPED
    if local.ended.get("differs"):
        return 1
    return 0 if chosen and local.ended.get("agrees", 0) == len(chosen) else 4


def task(arguments: argparse.Namespace) -> int:
    """`campaign task`: the shards of a task of an array, one after the other."""
    if not arguments.folder:
        raise Refused("`campaign task` is run by Slurm, with --folder")
    store = Store(pathlib.Path(arguments.folder))
    number = slurm.task_number()
    try:
        deal = [[Shard.of_key(key) for key in keys] for keys in json.loads(pathlib.Path(arguments.deal).read_bytes())]
    except (OSError, ValueError, TypeError) as error:
        raise Refused(f"{arguments.deal} is not the deal of an array: {error}") from None
    if not 0 <= number < len(deal):
        raise Refused(f"{arguments.deal} has {len(deal)} tasks, none of number {number}")
    local = Local(store, plan.ROOT)
    local.worker.ahead = age()
    finished = local.all(deal[number], 1)
    if not finished:
        return STOPPED + 13
    return 75 if local.errors else 0
