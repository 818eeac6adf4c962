# SPDX-License-Identifier: MIT OR Apache-2.0
"""The units side by side, from the merged results of one campaign, as a chapter of the book.

A column is a unit, a line a measure. What the campaign leaves open (shards without a result, failures, mutants that survive, situations that
no case meets, bits that wait longer) is listed with the reason that `tools/campaign/open.toml` gives."""

from __future__ import annotations

import argparse
import fnmatch
import json
import pathlib
import sys
import tomllib
from collections.abc import Callable
from typing import Any

from . import Refused, jobs, plan
from .model import Shard
from .store import Store
from .verbs import opened

FIRST, LAST = "<!-- tools/campaign/campaign chapter -->", "<!-- end of the chapter's tables -->"
# Jobs whose items are units, or begin with one.
BY_UNIT = ("formal", "small-world", "mutants-rtl", "mutants-model", "coverage", "coverage-rtl", "toggles", "soak")
Merged = dict[str, Any]
Measure = Callable[[Merged, str], int | float | None]


def unit_of(item: str) -> str:
    return item.partition("/")[0]


def items(merged: Merged, job: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = merged["outcome"]["jobs"].get(job, {}).get("items", {})
    return found


def units(merged: Merged) -> list[str]:
    """Returns the units that the campaign has, by name."""
    return sorted({unit_of(item) for job in BY_UNIT for item in items(merged, job)})


def total(job: str, *counts: str) -> Measure:
    """Counts of a job, added."""
    def measure(merged: Merged, unit: str) -> int | None:
        mine = [found for item, found in items(merged, job).items() if unit_of(item) == unit]
        return sum(found.get(count, 0) for found in mine for count in counts) if mine else None
    return measure


def named(job: str, fits: Callable[[str, str], bool]) -> Measure:
    """Named verdicts of a job that fit."""
    def measure(merged: Merged, unit: str) -> int | None:
        if not items(merged, job):
            return None
        verdicts = merged["outcome"]["jobs"][job]["named"]
        return sum(unit_of(name) == unit and fits(name, verdict) for name, verdict in verdicts.items())
    return measure


def covered(what: str) -> Measure:
    return lambda merged, unit: merged.get("coverage", {}).get(unit, {}).get(what)


def rows(what: str) -> Measure:
    """Rows of the documents of the areas that a unit's modules name."""
    def measure(merged: Merged, unit: str) -> int | None:
        counts = merged["outcome"]["jobs"].get("requirements", {}).get("counts", {})
        mine = [count for name, count in counts.items() if name.endswith(f" {what}") and of_area(name.partition(" ")[0]) == unit]
        return sum(mine) if counts else None
    return measure


def of_area(area: str) -> str:
    """Returns the unit most of whose modules name an area; nothing if no unit does: what it says is of software."""
    if area.startswith("LWP-"):
        return "lwp"
    best = (0, "")
    for path in sorted(plan.ROOT.glob("verify/mutation/rtl/*/areas.toml")):
        if path.parent.name != "lwp":
            named = sum(area in areas for areas in tomllib.loads(path.read_text()).values())
            best = max(best, (named, path.parent.name)) if named else best
    return best[1]


def software(merged: Merged) -> list[str]:
    """A sentence on the rows that are of no unit."""
    counts = merged["outcome"]["jobs"].get("requirements", {}).get("counts", {})
    areas = [name.removesuffix(" rows") for name in counts if name.endswith(" rows") and not of_area(name.removesuffix(" rows"))]
    said = ", ".join(f"{area} {counts.get(f'{area} shown', 0)} of {counts[f'{area} rows']}" for area in sorted(areas))
    return [f"Rows of software around the units, shown of all: {said}."] if areas else []


def hours(merged: Merged, unit: str) -> float:
    seconds = sum(cpu for spent in merged["spent"].values() for item, cpu in spent.get("items", {}).items() if unit_of(item) == unit)
    return round(seconds / 3600, 2)


def is_bug(name: str) -> bool:
    return "#" in name


MEASURES: list[tuple[str, Measure]] = [
    ("rows of the documents", rows("rows")),
    ("of these shown", rows("shown")),
    ("proofs, covers among them", named("formal", lambda name, _: not is_bug(name))),
    ("of these as they should be", named("formal", lambda name, verdict: not is_bug(name) and verdict.startswith("PASS"))),
    ("bugs seeded for the proofs", named("formal", lambda name, _: is_bug(name))),
    ("of these found", named("formal", lambda name, verdict: is_bug(name) and verdict == "found")),
    ("small worlds", named("small-world", lambda *_: True)),
    ("of these closed", named("small-world", lambda _, verdict: verdict == "closed")),
    ("their states", total("small-world", "states")),
    ("changes of the RTL: killed", total("mutants-rtl", "change killed")),
    ("only a proof fails", total("mutants-rtl", "change disproved")),
    ("proven equivalent", total("mutants-rtl", "change equivalent")),
    ("surviving", total("mutants-rtl", "change survived")),
    ("faults of the RTL: killed", total("mutants-rtl", "fault killed")),
    ("only a proof fails", total("mutants-rtl", "fault disproved")),
    ("proven equivalent", total("mutants-rtl", "fault equivalent")),
    ("surviving", total("mutants-rtl", "fault survived")),
    ("changes of the model: killed", total("mutants-model", "killed")),
    ("proven equivalent", total("mutants-model", "equivalent")),
    ("surviving", total("mutants-model", "survived")),
    ("do not compile", total("mutants-model", "not viable")),
    ("situations that can be met", covered("reachable")),
    ("of these met", covered("met")),
    ("ways of bits of registers and ports", total("toggles", "reachable ways")),
    ("of these seen", total("toggles", "ways")),
    ("cycles of the soak, in lockstep", total("soak", "cycles")),
    ("its cases", total("soak", "cases")),
    ("core-hours", hours),
]


def cell(value: int | float | None) -> str:
    return "-" if value is None else f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"


def side_by_side(merged: Merged) -> list[str]:
    """The table of the units, the sum of them in its last column."""
    columns = units(merged)
    lines = ["| | " + " | ".join(f"`{unit}`" for unit in columns) + " | all |", "|---|" + "--:|" * (len(columns) + 1)]
    for title, measure in MEASURES:
        values = [measure(merged, unit) for unit in columns]
        known = [value for value in values if value is not None]
        if known:
            lines.append(f"| {title} | " + " | ".join(map(cell, [*values, sum(known)])) + " |")
    return lines


def others(merged: Merged) -> list[str]:
    """What has no unit: a line for each job."""
    lines = ["| job | passed | counts | core-hours |", "|---|--:|---|--:|"]
    for name, job in merged["outcome"]["jobs"].items():
        if name not in BY_UNIT and name != "requirements":
            counts = ", ".join(f"{count:,} {what}" for what, count in job["counts"].items())
            lines.append(f"| `{name}` | {job['shards'] - job['failed']} of {job['wanted']} | {counts} | {merged['spent'][name]['cpu'] / 3600:.2f} |")
    return lines if len(lines) > 2 else []


def ends(merged: Merged) -> list[tuple[str, str]]:
    """Returns every open end: its name, and what is open."""
    found = []
    for key in merged["missing"]:
        shard = Shard.of_key(key)
        found.append((f"{shard.job}/{shard.item}" + (f"@{shard.first}" if shard.job == "soak" else ""), "no result"))
    for bug in merged["bugs"]:
        name = "/".join(filter(None, (Shard.of_key(bug["shard"]).job, bug["unit"].strip("-"), bug["stage"], bug["field"])))
        found.append((name, bug["headline"]))
    for unit, one in merged.get("coverage", {}).items():
        if "error" in one:
            found.append((f"coverage/{unit}", f"the counts are not added: {one['error']}"))
        found += [(f"coverage/{unit}/{hole}", "not met") for hole in one.get("holes", [])]
        if one.get("more_holes"):
            found.append((f"coverage/{unit}", f"{one['more_holes']} more are not met"))
    for item, counts in items(merged, "toggles").items():
        if counts.get("ways left to a longer wait"):
            found.append((f"toggles/{item}", f"{counts['ways left to a longer wait']} ways are left to a longer wait"))
    return sorted(found)


def left_out(merged: Merged, tables: list[dict[str, Any]], root: pathlib.Path) -> list[tuple[str, str]]:
    """Returns the jobs of a list, and the items of a job, that the campaign does not have."""
    found = []
    for table in tables:
        name, manifest = table["name"], merged["outcome"]["jobs"]
        if name not in manifest:
            if not table.get("extra"):
                found.append((name, "not part of the campaign"))
            continue
        try:
            every = jobs.items(root, name, table.get("items", ["all"]))
        except Refused:
            # A list that a program prints which is not built.
            continue
        wanted = {Shard.of_key(key).item for key in merged["missing"] if Shard.of_key(key).job == name} | manifest[name]["items"].keys()
        found += [(f"{name}/{item}", "not part of the campaign") for item in every if item not in wanted]
    return found


def reasons(path: pathlib.Path) -> list[tuple[str, str]]:
    """Reads the reasons: patterns of names, and why what they name is open."""
    try:
        table = tomllib.loads(path.read_text())
        return [(one["name"], one["reason"]) for one in table.get("open", [])]
    except FileNotFoundError:
        raise Refused(f"there is no {path}; --reasons names the file of reasons") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, AttributeError) as error:
        raise Refused(f"{path}: {error}; it holds [[open]] with `name`, a pattern, and `reason`") from None


def escaped(text: str) -> str:
    """Text for a cell of a table: a bar would end it, in code as well."""
    return text.replace("|", "\\|")


def left(every: list[tuple[str, str]], why: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """The table of open ends, each by its name, those of one reason in one line; and those without a reason."""
    groups: dict[str, list[str]] = {}
    without = []
    for name, what in every:
        reason = next((reason for pattern, reason in why if fnmatch.fnmatchcase(name, pattern)), "")
        if reason:
            groups.setdefault(reason, []).append(escaped(f"`{name}`: {what}"))
        else:
            without.append(f"{name}: {what}")
    lines = [f"| {'; '.join(said)} | {reason} |" for reason, said in groups.items()]
    lines += [f"| {escaped(end)} | **none is given** |" for end in without]
    return (["| open | reason |", "|---|---|", *lines] if lines else ["Nothing is open."]), without


def text(merged: Merged, open_ends: list[tuple[str, str]], why: list[tuple[str, str]]) -> tuple[str, list[str]]:
    """Returns the chapter's tables, and the open ends without a reason."""
    done = merged["outcome"]["jobs"].values()
    spent = sum(one["cpu"] for one in merged["spent"].values()) / 3600
    head = f"Commit `{merged['outcome']['commit']}`: {sum(job['shards'] for job in done):,} of {sum(job['wanted'] for job in done):,} shards, {spent:.1f} core-hours."
    open_, without = left(open_ends, why)
    rest = others(merged)
    parts = [[head], side_by_side(merged), software(merged), *([["What is of no unit:"], rest] if rest else []), ["What is open:"], open_]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n", without


def into(page: pathlib.Path, made: str) -> None:
    """Puts the tables between the marks of a page."""
    try:
        said = page.read_text()
    except FileNotFoundError:
        raise Refused(f"there is no page {page}") from None
    before, first, rest = said.partition(FIRST)
    _, last, after = rest.partition(LAST)
    if not first or not last:
        raise Refused(f"{page} lacks the marks `{FIRST}` and `{LAST}`; nothing was changed")
    page.write_text(f"{before}{FIRST}\n\n{made}\n{LAST}{after}")


def chapter(arguments: argparse.Namespace) -> int:
    """`campaign chapter`."""
    store: Store = opened(arguments)
    path = store.folder / "merged.json"
    try:
        merged = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        raise Refused(f"{path} does not exist or is cut: run the campaign, or `campaign merge --folder {store.folder}`") from None
    found = ends(merged) + left_out(merged, jobs.tables(arguments.jobs_file or plan.LIST), plan.ROOT)
    made, without = text(merged, found, reasons(arguments.reasons or plan.ROOT / "tools/campaign/open.toml"))
    if arguments.book:
        into(arguments.book, made)
    else:
        print(made, end="")
    for end in without:
        print(f"campaign: open without a reason: {end}", file=sys.stderr)
    return 1 if without else 0
