# SPDX-License-Identifier: MIT OR Apache-2.0
"""Begins a campaign, or takes it up: commit, jobs, programs, manifest."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

from . import Refused, source
from .jobs import chosen, early, made, tables
from .model import Job, Shard
from .shard import now
from .store import Store, fresh, sha
from .terminal import quiet, tell

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
            real = float(value) if "e" in value.lower() else int(value.replace("_", ""))
            number = int(real)
        except (ValueError, OverflowError):
            real = number = 0
        if not mark or number <= 0 or number != real:
            raise Refused(f"--size {word}: JOB=SHARDS or JOB.SIZE=NUMBER, whole and above 0, is wanted")
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
    tell(f"campaign: {' '.join(command)}")
    try:
        code = subprocess.run(command, cwd=root, stdout=sys.stderr).returncode
    except OSError as error:
        return f"`{' '.join(command)}`: {error.strerror}"
    return f"`{' '.join(command)}` fails with exit code {code}" if code else ""


def named(root: pathlib.Path, name: str) -> list[str]:
    """Returns the files of a name that may have a `*`."""
    return sorted(str(path.relative_to(root)) for path in root.glob(name)) or [name]


def programs(store: Store, known: dict[str, str], wanted: list[Job], root: pathlib.Path) -> dict[pathlib.Path, pathlib.Path]:
    """Returns the programs of the jobs that the campaign has no copy of, each with the place of its copy."""
    target = store.folder / "programs"
    found: dict[pathlib.Path, pathlib.Path] = {}
    for path in dict.fromkeys(path for job in wanted for name in job.programs for path in named(root, name)):
        copy = target / pathlib.Path(path).name
        if copy in found:
            raise Refused(f"the jobs have two programs of the name {copy.name}; a campaign keeps one")
        if copy.name in known and copy.exists():
            if sha(copy) != known[copy.name]:
                raise Refused(f"{copy} is not the program that this campaign began with; put it back, or begin in another directory")
        elif (root / path).is_file():
            found[copy] = root / path
        else:
            raise Refused(f"the program {path} is not built; leave out --no-build")
    return found


def begin(store: Store, wanted: list[Job], root: pathlib.Path, about: dict[str, Any]) -> dict[str, Any]:
    """Writes the manifest of a campaign of this tree's commit, and copies the programs into it, where no later build reaches them.

    A program is in the manifest when its copy is whole: a campaign that is killed in between copies anew."""
    commit = source.commit(root)
    known = store.of_commit(commit)["programs"] if store.begun() else {}
    copies = programs(store, known, wanted, root)
    kept = {name: seal for name, seal in known.items() if (store.folder / "programs" / name).exists()}
    about = {"began": now(), **about}
    data = store.plan(commit, wanted, kept, about)
    for copy, built in copies.items():
        with built.open("rb") as file, fresh(copy) as out:
            shutil.copyfileobj(file, out)
        copy.chmod(built.stat().st_mode)
        kept[copy.name] = sha(copy)
    return store.plan(commit, wanted, kept, about) if copies else data


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
    lines += [f"coverage of {unit}: {found['error']}" for unit, found in merged.get("coverage", {}).items() if "error" in found]
    lines += [merged["triage_error"]] if merged.get("triage_error") else []
    lines += [f"not prepared: {name}: {why}" for name, why in merged.get("unprepared", {}).items()]
    lines += [f"refused: {name}: {why}" for name, why in list(merged["refused"].items())[:10]]
    lines += [f"run twice and does not agree: {name}" for name in [*merged["outcome"]["differ"], *merged["disagreements"]][:10]]
    return quiet("\n".join(lines))


def code(merged: dict[str, Any], wanted: list[Job]) -> int:
    """Returns the exit code for these jobs: 1 if something failed or disagrees, 4 if shards are missing or coverage could not be added, else 0."""
    names = {job.name for job in wanted}
    if merged["outcome"]["differ"] or merged["disagreements"] or any(merged["outcome"]["jobs"][name]["failed"] for name in names):
        return 1
    missing = set(merged["missing"])
    counted = any(job.reader == "coverage" for job in wanted)
    broken = counted and any("error" in one for one in merged.get("coverage", {}).values())
    return 4 if merged.get("unprepared") or broken or any(shard.key in missing for job in wanted for shard in job.cut()) else 0


def notes(store: Store, missing: Iterable[str]) -> list[str]:
    """Returns why shards have no result, from the notes that their runs left."""
    open_ = set(missing)
    found = [path.read_text(errors="replace").split("\n", 2)[:2] for path in sorted((store.folder / "errors").rglob("*.txt"))]
    return [" ".join(lines) for lines in found if lines[0] in open_]
