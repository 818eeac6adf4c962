# SPDX-License-Identifier: MIT OR Apache-2.0
"""Hands shards to Slurm: one array of tasks, and a merge that waits for it. Queues, placement, limits and requeues are Slurm's."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time

from . import Refused
from .model import Job, Shard
from .store import Store, text, write

# A task of an array is a row of the controller; half of its table is left to others.
SHARE = 2
# What Slurm takes if the controller does not say.
LIMITS = {"MaxArraySize": 1001, "MaxJobCount": 10000}
# How often squeue may fail, two seconds apart, before nobody waits any more.
SILENT = 150
PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "campaign"


@dataclasses.dataclass(frozen=True)
class Wishes:
    """What the command line says for Slurm."""

    partition: str = ""
    time: str = ""
    at_once: int = 0
    tasks: int = 0
    extra: tuple[str, ...] = ()
    wait: bool = False
    shared: bool = False


def ask(*command: str) -> str:
    """Runs a client of Slurm, and returns what it prints."""
    if not shutil.which(command[0]):
        raise Refused(f"no {command[0]} here, so no Slurm: install its clients (Debian: slurm-client), or run --on local")
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise Refused(f"{' '.join(command[:2])}: {run.stderr.strip() or f'exit code {run.returncode}'}")
    return run.stdout


def limits() -> dict[str, int]:
    said = ask("scontrol", "show", "config")
    found = {name: re.search(rf"^{name}\s*=\s*(\d+)", said, re.MULTILINE) for name in LIMITS}
    return {name: int(one[1]) if one else LIMITS[name] for name, one in found.items()}


def partition(name: str) -> None:
    """Refuses a partition that does not exist."""
    there = sorted({line.rstrip("*") for line in ask("sinfo", "--noheader", "--format=%P").split()})
    if not there:
        raise Refused("Slurm has no partition")
    if name and name not in there:
        raise Refused(f"Slurm has no partition {name}; there are: {', '.join(there)}; nothing was submitted")


def shared(folder: pathlib.Path) -> None:
    """Refuses a directory on a disk of this machine if tasks may run on others."""
    hosts = set(re.findall(r"NodeHostName=(\S+)", ask("scontrol", "show", "node")))
    if hosts <= {socket.gethostname(), "localhost", socket.gethostname().partition(".")[0]}:
        return
    kind = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True).stdout.strip()
    if kind in ("ext2/ext3", "xfs", "btrfs", "tmpfs", "overlayfs", "zfs"):
        raise Refused(f"{folder} is on a disk of this machine ({kind}), and Slurm has other nodes; name a directory that all nodes see "
                      "with --folder, or say --shared if they see this one; nothing was submitted")


def tasks(count: int, wished: int, most: dict[str, int]) -> int:
    """Returns how many tasks the shards are dealt to: as many as shards, as far as Slurm takes them."""
    most_tasks = min(most["MaxArraySize"] - 1, max(1, most["MaxJobCount"] // SHARE))
    return max(1, min(count, wished or count, most_tasks))


def submitted(store: Store) -> list[dict[str, str]]:
    path = store.folder / "slurm.json"
    if not path.exists():
        return []
    try:
        return [{"array": str(one["array"]), "merge": str(one["merge"])} for one in json.loads(path.read_bytes())]
    except (OSError, ValueError, TypeError, KeyError):
        raise Refused(f"{path} cannot be read, so it is not known which jobs of Slurm may still run; when there are none, remove it") from None


def active(store: Store) -> list[str]:
    """Returns the arrays and merges of this directory that are still in the queue."""
    ids = [one[kind] for one in submitted(store) for kind in ("array", "merge") if one[kind]]
    if not ids:
        return []
    if not shutil.which("squeue"):
        raise Refused(f"jobs of Slurm were submitted for {store.folder}, and there is no squeue here to ask whether they still run; go on where there "
                      f"is one, or, when they have ended, remove {store.folder / 'slurm.json'}")
    # The format of a job's array, or its own number; an unknown number is an error if it is alone, so all are asked for.
    queue = set(ask("squeue", "--noheader", "--format=%F").split())
    return [one for one in ids if one in queue]


def submit(store: Store, root: pathlib.Path, jobs: dict[str, Job], shards: list[Shard], wishes: Wishes) -> list[str]:
    """Submits an array for the shards and one for those that want a node each, then the merge. Returns the numbers of the jobs."""
    partition(wishes.partition)
    if not wishes.shared:
        shared(store.folder)
    still = active(store)
    if still:
        raise Refused(f"the jobs {', '.join(still)} of {store.folder} are still in the queue; `campaign status` shows them, `scancel` ends "
                      "them; nothing was submitted")
    most = limits()
    common = ["--parsable", "--requeue", f"--chdir={root}", "--cpus-per-task=1", *wishes.extra]
    common += [f"--partition={wishes.partition}"] if wishes.partition else []
    common += [f"--time={wishes.time}"] if wishes.time else []
    logs = store.folder / "logs"
    logs.mkdir(exist_ok=True)
    plain = str(logs).replace("%", "%%")
    numbers: list[str] = []
    before = submitted(store)
    rounds = len(before)

    def record(merge: str) -> None:
        write(store.folder / "slurm.json", text(before + [{"array": number, "merge": merge, "host": socket.gethostname()} for number in numbers]), replace=True)
    for name, part, options in [
        ("shards", [shard for shard in shards if not jobs[shard.job].alone], []),
        ("alone", [shard for shard in shards if jobs[shard.job].alone], ["--exclusive"]),
    ]:
        if not part:
            continue
        count = tasks(len(part), wishes.tasks, most)
        deal = store.folder / "arrays" / f"{rounds}-{name}.json"
        write(deal, text([[shard.key for shard in part[task::count]] for task in range(count)]), replace=True)
        at_once = 1 if name == "alone" else wishes.at_once
        array = f"--array=0-{count - 1}{f'%{at_once}' if at_once else ''}"
        numbers.append(sbatch([*common, *options, array, f"--job-name=campaign-{name}", f"--output={plain}/%A_%a.log", "--open-mode=append"],
                              task_script(store, deal)))
        # Whatever follows, these are in the queue.
        record("")
    last = sbatch([*common, f"--dependency=afterany:{':'.join(numbers)}", "--job-name=campaign-merge", f"--output={plain}/%j-merge.log"],
                  script(store, ["merge", "--folder", str(store.folder)]))
    record(last)
    return [*numbers, last]


def script(store: Store, arguments: list[str]) -> str:
    """Returns a batch script that says so if the node does not see the directory."""
    manifest = shlex.quote(str(store.folder / "campaign.json"))
    lines = ["#!/bin/sh", f"if ! test -r {manifest}; then",
             f"  echo campaign: \"$(hostname)\" does not see {manifest}: the directory has to be shared by all nodes >&2", "  exit 66", "fi",
             f"exec {shlex.join([sys.executable, '-B', str(PROGRAM), *arguments])}"]
    return "\n".join(lines) + "\n"


def task_script(store: Store, deal: pathlib.Path) -> str:
    return script(store, ["task", "--folder", str(store.folder), str(deal)])


def sbatch(options: list[str], batch: str) -> str:
    if not shutil.which("sbatch"):
        raise Refused("no sbatch here, so no Slurm: install its clients (Debian: slurm-client), or run --on local")
    run = subprocess.run(["sbatch", *options], input=batch, capture_output=True, text=True)
    if run.returncode:
        raise Refused(f"sbatch: {run.stderr.strip()}")
    return run.stdout.strip().partition(";")[0]


def wait(numbers: list[str]) -> None:
    """Waits until none of the jobs is in the queue. A controller that is restarted answers again."""
    silent = 0
    while True:
        try:
            if not set(ask("squeue", "--noheader", "--format=%F").split()) & set(numbers):
                return
            silent = 0
        except Refused as error:
            silent += 1
            if silent > SILENT:
                raise Refused(f"{error}; the jobs {', '.join(numbers)} go on without this command, which finds them again") from None
        time.sleep(2)


def seen(store: Store, numbers: list[str]) -> None:
    """Says so if no task of the arrays has left a log: the nodes may not see the directory."""
    logs = store.folder / "logs"
    for number in numbers[:-1]:
        if not any(logs.glob(f"{number}_*.log")):
            print(f"campaign: no task has left a log in {logs}: do the nodes see this directory? (`scontrol show job {number}`)", file=sys.stderr)


def task_number() -> int:
    """The task of the array that this process is."""
    try:
        return int(os.environ["SLURM_ARRAY_TASK_ID"])
    except (KeyError, ValueError):
        raise Refused("`campaign task` is run by Slurm in an array; by hand set SLURM_ARRAY_TASK_ID") from None
