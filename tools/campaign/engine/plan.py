# SPDX-License-Identifier: MIT OR Apache-2.0
"""Begins a campaign, or takes it up: commit, jobs, programs, manifest."""

from __future__ import annotations

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any

from . import Refused, source
from .jobs import chosen, early, made, tables
from .model import Job, Shard
from .shard import now
from .store import Store

# CAMPAIGN_ROOT names another checkout.
ROOT = pathlib.Path(os.environ.get("CAMPAIGN_ROOT") or pathlib.Path(__file__).resolve().parents[3])
LIST = ROOT / "tools/campaign/jobs.toml"


def sizes(words: list[str]) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    """Reads `JOB=SHARDS` and `JOB.SIZE=NUMBER`; a number may be written 1e6."""
    shards: dict[str, int] = {}
    numbers: dict[str, dict[str, int]] = {}
    for word in words:
        name, mark, value = word.partition("=")
        try:
            number = int(float(value)) if "e" in value.lower() else int(value.replace("_", ""))
        except (ValueError, OverflowError):
            number = 0
        if not mark or number <= 0:
            raise Refused(f"--size {word}: JOB=SHARDS or JOB.SIZE=NUMBER, above 0, is wanted")
        job, dot, size = name.partition(".")
        if dot:
            numbers.setdefault(job, {})[size] = number
        else:
            shards[job] = number
    return shards, numbers


def jobs(path: pathlib.Path, only: list[str], words: list[str], root: pathlib.Path, build: bool) -> tuple[list[Job], dict[str, str]]:
    """Returns the chosen jobs with their items, after what they need is built; and the jobs for which it cannot be, with the reason."""
    shards, numbers = sizes(words)
    pairs = chosen(tables(path), only)
    strange = (shards.keys() | numbers.keys()) - {table["name"] for table, _ in pairs}
    if strange:
        raise Refused(f"--size names {', '.join(sorted(strange))}, which is not among the chosen jobs")
    for table, item in pairs:
        early(root, table, item)
    prepared: dict[tuple[str, ...], str] = {}
    by_name: dict[str, Job] = {}
    unprepared: dict[str, str] = {}
    for table, item in pairs:
        command = tuple(table.get("prepare", ()))
        if build and command:
            if command not in prepared:
                prepared[command] = prepare(command, root)
            if prepared[command]:
                unprepared[table["name"]] = prepared[command]
                continue
        job = made(root, table, item, shards.get(table["name"]), numbers.get(table["name"], {}))
        earlier = by_name.get(job.name)
        if earlier:
            job = Job.from_json({**job.to_json(), "items": list(dict.fromkeys((*earlier.items, *job.items)))})
        by_name[job.name] = job
    if not by_name:
        raise Refused(f"no job can be prepared: {'; '.join(dict.fromkeys(unprepared.values()))}")
    return list(by_name.values()), unprepared


def prepare(command: tuple[str, ...], root: pathlib.Path) -> str:
    """Runs a command that builds what a job runs. Returns what went wrong; nothing if all is well."""
    print(f"campaign: {' '.join(command)}", file=sys.stderr)
    try:
        code = subprocess.run(command, cwd=root, stdout=sys.stderr).returncode
    except OSError as error:
        return f"`{' '.join(command)}`: {error.strerror}"
    return f"`{' '.join(command)}` fails with exit code {code}" if code else ""


def sha(path: pathlib.Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def named(root: pathlib.Path, name: str) -> list[str]:
    """Returns the files of a name that may have a `*`."""
    return sorted(str(path.relative_to(root)) for path in root.glob(name)) or [name]


def programs(store: Store, wanted: list[Job], root: pathlib.Path) -> dict[str, str]:
    """Copies the programs of the jobs into the campaign, where no later build reaches them. Returns their digests."""
    target = store.folder / "programs"
    known = store.manifest()["programs"] if (store.folder / "campaign.json").exists() else {}
    found = {}
    for path in dict.fromkeys(path for job in wanted for name in job.programs for path in named(root, name)):
        copy = target / pathlib.Path(path).name
        if copy.name in known and copy.exists():
            if sha(copy) != known[copy.name]:
                raise Refused(f"{copy} is not the program that this campaign began with; put it back, or begin in another directory")
            found[copy.name] = known[copy.name]
            continue
        if not (root / path).exists():
            raise Refused(f"the program {path} is not built; leave out --no-build")
        target.mkdir(parents=True, exist_ok=True)
        fresh = copy.with_name(f".{copy.name}.new")
        shutil.copy2(root / path, fresh)
        fresh.replace(copy)
        found[copy.name] = sha(copy)
    return found


def begin(store: Store, wanted: list[Job], root: pathlib.Path, about: dict[str, Any]) -> dict[str, Any]:
    """Writes the manifest of a campaign of this tree's commit."""
    name = source.commit(root)
    return store.plan(name, wanted, programs(store, wanted, root), {"began": now(), **about})


def shards(jobs: list[Job]) -> list[Shard]:
    """Returns all shards; those of the jobs take turns, so that a campaign that is stopped has seen them all."""
    cuts = [job.cut() for job in jobs]
    found = []
    while cuts:
        rest = []
        for cut in cuts:
            shard = next(cut, None)
            if shard is not None:
                found.append(shard)
                rest.append(cut)
        cuts = rest
    return found


def jobs_text(found: list[dict[str, Any]]) -> str:
    """Returns the list of jobs as lines: name, shards, what it does."""
    return "\n".join(f"{table['name']:17} {'alone' if table.get('alone') else 'cut':6} {table['about']}" for table in found)


def summary(merged: dict[str, Any]) -> str:
    """Returns the merged results as lines."""
    lines = []
    for name, job in merged["outcome"]["jobs"].items():
        counts = ", ".join(f"{count:,} {what}" for what, count in job["counts"].items())
        failed = f", {job['failed']} FAILED" if job["failed"] else ""
        lines.append(f"{name:17} {job['shards']:>7,} of {job['wanted']:<7,} shards{failed}  {merged['spent'][name]['cpu'] / 3600:8.3f} core-hours  {counts}")
    for bug in merged.get("bugs", []):
        since = "new" if bug.get("new", True) else f"since night {bug['since']}"
        lines.append(f"{bug['unit']} {bug['stage']} {bug['field']} ({since}, {bug['times']} times): {bug['headline']}\n    {bug['repeat']}")
    lines += [f"not prepared: {name}: {why}" for name, why in merged.get("unprepared", {}).items()]
    lines += [f"refused: {name}: {why}" for name, why in list(merged["refused"].items())[:10]]
    lines += [f"run twice and does not agree: {name}" for name in [*merged["outcome"]["differ"], *merged["disagreements"]][:10]]
    return "\n".join(lines)


def code(merged: dict[str, Any], wanted: list[Job]) -> int:
    """Returns the exit code for these jobs: 1 if something failed or disagrees, 4 if shards are missing, else 0."""
    names = {job.name for job in wanted}
    if merged["outcome"]["differ"] or merged["disagreements"] or any(merged["outcome"]["jobs"][name]["failed"] for name in names):
        return 1
    missing = set(merged["missing"])
    return 4 if merged.get("unprepared") or any(shard.key in missing for job in wanted for shard in job.cut()) else 0


def notes(store: Store, missing: list[str]) -> list[str]:
    """Returns why shards have no result, from the notes that their runs left."""
    open_ = set(missing)
    found = [path.read_text(errors="replace").split("\n", 2)[:2] for path in sorted((store.folder / "errors").rglob("*.txt"))]
    return [" ".join(lines) for lines in found if lines[0] in open_]
