# SPDX-License-Identifier: MIT OR Apache-2.0
"""What follows a merge: counts of coverage are added, capsules are shrunk and grouped, failures get their report pages."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
from typing import Any

from .merge import groups
from .model import Shard, digest, safe
from .store import Broken, Store, text, write

# Files of counts that one call of `coverage merge` takes.
FILES = 500
# Capsules of one reported group that are shrunk. The others are taken to be of the same bug as the first.
CAPSULES = 20


def program(store: Store, root: pathlib.Path, name: str) -> pathlib.Path | None:
    """Returns a program: the campaign's copy, else the one that was built last."""
    for path in (store.folder / "programs" / name, root / "target/release" / name):
        if path.exists():
            return path.resolve()
    return None


def coverage(store: Store, root: pathlib.Path, results: list[dict[str, Any]]) -> dict[str, Any]:
    """Adds the counts of each unit, once for each shard, and returns what was met, and the holes."""
    tool = program(store, root, "coverage")
    files: dict[str, list[pathlib.Path]] = {}
    found: dict[str, Any] = {}
    for result in sorted(results, key=lambda one: str(one["key"])):
        if "counts" in result["outcome"]["artefacts"]:
            item = Shard.of_key(result["key"]).item
            try:
                files.setdefault(item, []).append(store.artefact(result, "counts"))
            except Broken as error:
                found[item] = {"error": str(error)}
    for unit, parts in files.items():
        folder = store.folder / "coverage" / safe(unit)
        folder.mkdir(parents=True, exist_ok=True)
        total = folder / "functional.json"
        if tool is None:
            found.setdefault(unit, {"error": "the program coverage is not there"})
        if unit in found:
            continue
        why = added(tool, unit, total, parts)
        if not why:
            run = subprocess.run([tool, "report", "--unit", unit, "--counts", total, "--rtl", folder / "none", "--out", folder],
                                 cwd=root, capture_output=True, text=True)
            # Exit code 1 is a claim that is disproved: there is a report of it.
            why = "" if run.returncode in (0, 1) else wrong(run)
        found[unit] = {"error": why} if why else shares(json.loads((folder / "report.json").read_bytes()))
    return found


def added(tool: pathlib.Path, unit: str, total: pathlib.Path, parts: list[pathlib.Path]) -> str:
    """Adds files of counts, some at a time, in the place of an earlier sum. Returns what went wrong; nothing if all is well."""
    for at in range(0, len(parts), FILES):
        some = parts[at:at + FILES] + ([total] if at else [])
        fresh = total.with_suffix(".sum")
        fresh.unlink(missing_ok=True)
        run = subprocess.run([tool, "merge", "--unit", unit, "--out", fresh, *some], capture_output=True, text=True)
        # Exit code 1 is a claim that is disproved: the sum is whole.
        if run.returncode not in (0, 1) or not fresh.exists():
            return wrong(run)
        fresh.replace(total)
    return ""


def wrong(run: subprocess.CompletedProcess[str]) -> str:
    """Returns what a program said that failed, which is never nothing."""
    return run.stderr.strip() or run.stdout.strip() or f"exit code {run.returncode}"


def shares(report: dict[str, Any]) -> dict[str, Any]:
    """Returns met and reachable bins of a coverage report, and the names of those that were not met."""
    met = sum(cross["share"]["met"] for cross in report["crosses"])
    out = sum(cross["share"]["unreachable"] for cross in report["crosses"])
    every = sum(cross["share"]["all"] for cross in report["crosses"])
    holes = [f"{cross['id']}: {bin_['name']}" for cross in report["crosses"] for bin_ in cross["bins"]
             if bin_["count"] == 0 and not bin_.get("unreachable")]
    return {"met": met, "reachable": every - out, "unreachable": out, "all": every, "cycles": report["cycles"],
            "holes": holes[:200], "more_holes": max(0, len(holes) - 200)}


def reported(failure: dict[str, Any]) -> tuple[str, ...]:
    """The group of a failure as its shard reports it, before its capsule is shrunk."""
    return (failure["unit"], failure["kind"], failure["stage"], failure["field"])


def sampled(failures: list[dict[str, Any]]) -> list[str]:
    """Returns the capsules to shrink: the first ones of each reported group."""
    found: dict[tuple[str, ...], list[str]] = {}
    for failure in sorted(failures, key=lambda one: str(one["capsule"])):
        if failure["capsule"]:
            found.setdefault(reported(failure), []).append(failure["capsule"])
    return sorted(capsule for group in found.values() for capsule in group[:CAPSULES])


def triage(store: Store, root: pathlib.Path, failures: list[dict[str, Any]]) -> dict[str, Any]:
    """Shrinks and groups capsules, if there are others than last time. Returns the groups of `lwp-sim triage`."""
    capsules = [name for name in sampled(failures) if (store.folder / name).exists()]
    if not capsules:
        return {}
    kept, mark = store.folder / "triage" / "groups.json", digest(capsules)
    if kept.exists():
        earlier: dict[str, Any] = json.loads(kept.read_bytes())
        if earlier.get("of") == mark:
            return earlier
    tool = program(store, root, "lwp-sim")
    if tool is None:
        return {"error": "the program lwp-sim is not there: capsules are grouped as the shards report them"}
    small = store.folder / "triage" / "small"
    small.mkdir(parents=True, exist_ok=True)
    run = subprocess.run([tool, "triage", "--quiet", "--json", "-", "--output", small, *(store.folder / name for name in capsules)], capture_output=True, text=True)
    try:
        data = {**json.loads(run.stdout), "of": mark}
    except ValueError:
        return {"error": f"lwp-sim triage: {run.stderr.strip()[:400]}"}
    for group in data.get("groups", []):
        group["report"] = page(tool, group, store.folder / "triage")
    write(kept, text(data), replace=True)
    return data


def page(tool: pathlib.Path, group: dict[str, Any], folder: pathlib.Path) -> str:
    """Writes the report page of the smallest capsule of a group; returns its name, or nothing."""
    target = folder / f"{safe('-'.join(str(group.get(name)) for name in ('unit', 'kind', 'stage', 'field')))}.html"
    subprocess.run([tool, "report", "--quiet", group["smallest"], "--html", target], capture_output=True)
    return str(target) if target.exists() else ""


def bugs(store: Store, merged: dict[str, Any], grouped: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns a line for each bug: the groups of shrunk capsules, and of the failures that have none."""
    by_capsule = {}
    for group in grouped.get("groups", []):
        for capsule in group["capsules"]:
            name = capsule["capsule"] if isinstance(capsule, dict) else capsule
            by_capsule[pathlib.Path(name).name] = group
    of_report: dict[tuple[str, ...], dict[str, Any]] = {}
    every = sorted(merged.pop("failures"), key=lambda one: str(one["capsule"]))
    for failure in every:
        group = by_capsule.get(pathlib.Path(failure["capsule"]).name)
        if group:
            of_report.setdefault(reported(failure), group)
    failures = []
    for failure in every:
        group = by_capsule.get(pathlib.Path(failure["capsule"]).name, of_report.get(reported(failure))) if failure["capsule"] else None
        if group:
            failure = {**failure, "unit": group["unit"], "kind": group["kind"], "stage": group["stage"] or "-",
                       "field": group["field"] or "-", "headline": group["headline"], "capsule": relative(store, group["smallest"])}
        failures.append({**failure, "report": relative(store, group["report"]) if group and group.get("report") else ""})
    lines = groups(failures)
    for line in lines:
        line["id"] = digest([line["unit"], line["kind"], line["stage"], line["field"]], 8)
    return lines


def relative(store: Store, path: str) -> str:
    """Returns a path in the campaign's directory as it is from there."""
    try:
        return str(pathlib.Path(path).resolve().relative_to(store.folder.resolve()))
    except ValueError:
        return path


def copied(store: Store, bugs_: list[dict[str, Any]], target: pathlib.Path) -> None:
    """Copies the smallest capsule, the report and nothing else of each bug next to the pages."""
    for bug in bugs_:
        for what in ("capsule", "report"):
            source = store.folder / bug[what] if bug[what] else None
            bug[f"{what}_link"] = ""
            if source and source.exists():
                target.mkdir(parents=True, exist_ok=True)
                name = f"{bug['id']}{source.suffix}"
                shutil.copyfile(source, target / name)
                bug[f"{what}_link"] = f"{target.name}/{name}"
