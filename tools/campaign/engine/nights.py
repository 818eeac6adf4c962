# SPDX-License-Identifier: MIT OR Apache-2.0
"""Nights: a small record of each campaign, from which trends are drawn and failures are known.

Nights are ordered by their numbers, not by clocks."""

from __future__ import annotations

import json
import pathlib
from typing import Any

from .store import held, text, write

SCHEMA = "night/1"


def rate(count: int, cpu: float) -> int:
    """Returns a count per core-hour."""
    return round(count / cpu * 3600) if cpu else 0


def mutation(merged: dict[str, Any]) -> dict[str, int]:
    """Returns the verdicts of all mutants."""
    total: dict[str, int] = {}
    for name, job in merged["outcome"]["jobs"].items():
        if name.startswith("mutants") and "mutants" in job["counts"]:
            for verdict, count in job["verdicts"].items():
                total[verdict] = total.get(verdict, 0) + count
    return total


def score(verdicts: dict[str, int]) -> float | None:
    """Returns the share of mutants that are killed, of those that are not equivalent, in percent."""
    killed = verdicts.get("killed", 0) + verdicts.get("disproved", 0)
    all_of = sum(verdicts.values()) - verdicts.get("equivalent", 0)
    return round(100 * killed / all_of, 2) if all_of else None


def record(name: str, number: int, merged: dict[str, Any], about: dict[str, Any]) -> dict[str, Any]:
    """Returns the record of a night."""
    jobs = {}
    for job, done in merged["outcome"]["jobs"].items():
        cpu = merged["spent"][job]["cpu"]
        jobs[job] = {"wanted": done["wanted"], "shards": done["shards"], "failed": done["failed"], "counts": done["counts"], "cpu": cpu,
                     "per_core_hour": {what: rate(count, cpu) for what, count in done["counts"].items()}}
    return {"schema": SCHEMA, "name": name, "number": number, "commit": merged["outcome"]["commit"], "about": about, "jobs": jobs,
            "coverage": {unit: {key: value for key, value in found.items() if key not in ("holes",)}
                         for unit, found in merged["coverage"].items()},
            "mutants": mutation(merged), "mutation_score": score(mutation(merged)),
            "core_hours": round(sum(one["cpu"] for one in merged["spent"].values()) / 3600, 4),
            "missing": len(merged["missing"]), "bugs": {bug["id"]: bug["headline"] for bug in merged["bugs"]}, "digest": merged["digest"]}


def earlier(folder: pathlib.Path) -> list[dict[str, Any]]:
    """Returns the nights that are on record, by number; what is not a record is left out."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            night = json.loads(path.read_bytes())
        except (OSError, ValueError):
            continue
        if isinstance(night, dict) and night.get("schema") == SCHEMA:
            found.append(night)
    return sorted(found, key=lambda night: (night["number"], night["name"]))


def keep(folder: pathlib.Path, name: str, merged: dict[str, Any], about: dict[str, Any]) -> list[dict[str, Any]]:
    """Puts a campaign on record; merged again it replaces its own record. Returns all nights up to this one."""
    with held(folder / "lock"):
        return kept(folder, name, merged, about)


def kept(folder: pathlib.Path, name: str, merged: dict[str, Any], about: dict[str, Any]) -> list[dict[str, Any]]:
    nights = earlier(folder)
    mine = [night["number"] for night in nights if night["name"] == name]
    number = mine[0] if mine else max((night["number"] for night in nights), default=0) + 1
    before = [night for night in nights if night["number"] < number]
    for bug in merged["bugs"]:
        since = [night["number"] for night in before if bug["id"] in night["bugs"]]
        bug["since"] = since[0] if since else number
        bug["new"] = not since
    this = record(name, number, merged, about)
    write(folder / f"{name}.json", text(this), replace=True)
    return [*before, this]
