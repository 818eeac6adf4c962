# SPDX-License-Identifier: MIT OR Apache-2.0
"""Static pages of campaigns: one page and one JSON for each, and an index with trends. They need no server and no script."""

from __future__ import annotations

import pathlib
from html import escape
from typing import Any
from urllib.parse import quote

from . import Refused
from .draw import short, trend
from .nights import mutation, rate, score
from .store import text, write

CSS = pathlib.Path(__file__).with_name("page.css").read_text()
# Lines of a list on a page; the JSON has all.
LIST = 50


def document(title: str, body: str) -> bytes:
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(title)}</title><style>{CSS}</style><body>{body}</body></html>\n").encode(errors="replace")


def chip(value: str, what: str, kind: str = "") -> str:
    return f'<span class="chip"><b class="{kind}">{escape(value)}</b><small>{escape(what)}</small></span>'


def bar(part: float, whole: float) -> str:
    percent = 100 * part / whole if whole else 0
    return f'<span class="bar" role="img" aria-label="{percent:.0f} %"><i style="width:{percent:.1f}%"></i></span>'


def listed(lines: list[str], title: str) -> str:
    """A list that opens."""
    if not lines:
        return ""
    more = f"<li>and {len(lines) - LIST} more, in the JSON</li>" if len(lines) > LIST else ""
    return f"<details><summary>{escape(title)}</summary><ul>{''.join(f'<li><code>{escape(one)}</code></li>' for one in lines[:LIST])}{more}</ul></details>"


def bug(line: dict[str, Any]) -> str:
    """A failure: what, since when, how to repeat it."""
    links = [f'<a href="{quote(line[name + "_link"])}">{said}</a>' for name, said in (("report", "report"), ("capsule", "capsule"))
             if line.get(f"{name}_link")]
    since = "new" if line["new"] else f"known since night {line['since']}"
    return (f'<div class="card {"new" if line["new"] else ""}"><h3>{escape(line["unit"])}: {escape(line["stage"])}, {escape(line["field"])}</h3>'
            f'<p>{escape(line["headline"])}</p><code>{escape(line["repeat"])}</code>'
            f'<small>{escape(line["kind"])}, {since}, in {line["times"]} {"shard" if line["times"] == 1 else "shards"}'
            f'{", " if links else ""}{", ".join(links)}</small></div>')


def jobs(merged: dict[str, Any]) -> str:
    """The table of what ran."""
    rows = []
    for name, job in merged["outcome"]["jobs"].items():
        cpu = merged["spent"][name]["cpu"]
        whole = "good" if job["shards"] == job["wanted"] else "warn"
        cells = [("", f'<span title="{escape(job["about"])}">{escape(name)}</span>'),
                 ("shards", f'<span class="{whole}">{job["shards"]:,} of {job["wanted"]:,}</span> {bar(job["shards"], job["wanted"])}'),
                 ("failed", f'<span class="bad">{job["failed"]}</span>' if job["failed"] else "0"),
                 ("core-hours", f"{cpu / 3600:.3g}")]
        for what in ("cycles", "cases"):
            count = job["counts"].get(what)
            cells += [(what, short(count)), (f"{what}/core-h", short(rate(count, cpu)))] if count is not None else [(what, ""), ("", "")]
        others = ", ".join(f"{short(count)} {what}" for what, count in job["counts"].items() if what not in ("cycles", "cases"))
        cells.append(("also", escape(others)))
        rows.append("<tr>" + "".join(f'<td data-name="{title}">{cell}</td>' for title, cell in cells) + "</tr>")
    parts = [listed([f"{item}: " + ", ".join(f"{count:,} {what}" for what, count in done.items()) for item, done in job["items"].items()],
                    f"{name} by item") for name, job in merged["outcome"]["jobs"].items() if len(job["items"]) > 1]
    head = "".join(f"<th>{title}</th>" for title in ("job", "shards", "failed", "core-hours", "cycles", "per core-hour", "cases",
                                                     "per core-hour", "also"))
    return f'<div class="scroll"><table class="jobs"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>{"".join(parts)}'


def coverage(found: dict[str, Any]) -> str:
    parts = []
    for unit, one in sorted(found.items()):
        if "error" in one:
            parts.append(f'<p class="warn">{escape(unit)}: {escape(one["error"])}</p>')
            continue
        percent = 100 * one["met"] / one["reachable"] if one["reachable"] else 100
        holes = listed(one["holes"], f"{len(one['holes']) + one['more_holes']:,} holes")
        parts.append(f'<div class="card"><b>{escape(unit)}</b> {bar(one["met"], one["reachable"])} {percent:.1f} % <small>{one["met"]:,} of '
                     f'{one["reachable"]:,} bins that can be met; {one["unreachable"]:,} cannot</small>{holes}</div>')
    return "<h2>Coverage</h2>" + "".join(parts) if parts else ""


def verdicts(merged: dict[str, Any]) -> str:
    """Mutants and whatever else has names with verdicts: proofs, small worlds."""
    total = mutation(merged)
    said = ""
    if total:
        said += f"<h2>Mutants</h2><p>{score(total)} % of {sum(total.values()):,}: " + \
            ", ".join(f"{count:,} {escape(name)}" for name, count in total.items()) + "</p>"
    others = [(name, job) for name, job in merged["outcome"]["jobs"].items() if job["verdicts"] and "mutants" not in job["counts"]]
    if others:
        said += "<h2>Proofs and small worlds</h2>"
    for name, job in others:
        said += f"<p><b>{escape(name)}</b>: {', '.join(f'{count:,} {escape(verdict)}' for verdict, count in job['verdicts'].items())}</p>"
        said += listed([f"{what}: {verdict}" for what, verdict in sorted(job["named"].items())], "by name")
    return said


def left(merged: dict[str, Any]) -> str:
    """What is not whole: shards without a result, refused files, runs that disagree."""
    parts = [listed(merged["missing"], f"{len(merged['missing']):,} shards without a result"),
             listed(merged.get("notes", []), "runs without an outcome"),
             listed([f"{name}: {why}" for name, why in merged["unprepared"].items()], "jobs that could not be prepared"),
             listed([merged["triage_error"]] if merged.get("triage_error") else [], "failures that could not be grouped"),
             listed([f"{name}: {why}" for name, why in merged["refused"].items()], f"{len(merged['refused'])} files that were refused"),
             listed(merged["outcome"]["differ"] + merged["disagreements"], "shards that were run twice and do not agree")]
    return "<h2>Not whole</h2>" + "".join(parts) if any(parts) else ""


def trends(nights: list[dict[str, Any]]) -> str:
    """Lines over nights."""
    names = [f"night {night['number']}, {night['commit']}" for night in nights]

    def over(title: str, value: Any, unit: str = "") -> str:
        return trend(title, [(name, value(night)) for name, night in zip(names, nights)], unit)

    def all_of(night: dict[str, Any], what: str) -> float | None:
        return sum(job["counts"].get(what, 0) for job in night["jobs"].values()) or None

    units = sorted({unit for night in nights for unit, one in night["coverage"].items() if "met" in one})
    soaked = any("soak" in night["jobs"] for night in nights)
    drawn = [over("cycles checked", lambda night: all_of(night, "cycles")), over("cases", lambda night: all_of(night, "cases")),
             over("soak, cycles per core-hour", lambda night: night["jobs"].get("soak", {}).get("per_core_hour", {}).get("cycles"))
             if soaked else "",
             over("core-hours", lambda night: night["core_hours"]), over("failures", lambda night: len(night["bugs"])),
             over("mutation score", lambda night: night["mutation_score"], " %"),
             over("shards without a result", lambda night: night["missing"])]
    for unit in units:
        def share(night: dict[str, Any], unit: str = unit) -> float | None:
            one = night["coverage"].get(unit, {})
            return 100 * one["met"] / one["reachable"] if one.get("reachable") else None
        drawn.append(over(f"coverage of {unit}", share, " %"))
    return f'<h2>Trends</h2><div class="trends">{"".join(drawn)}</div>'


def night_page(merged: dict[str, Any], nights: list[dict[str, Any]]) -> bytes:
    """The page of one campaign."""
    this = nights[-1]
    new = [line for line in merged["bugs"] if line["new"]]
    known = [line for line in merged["bugs"] if not line["new"]]
    shards = sum(job["shards"] for job in merged["outcome"]["jobs"].values())
    wanted = sum(job["wanted"] for job in merged["outcome"]["jobs"].values())
    cycles = sum(job["counts"].get("cycles", 0) for job in merged["outcome"]["jobs"].values())
    whole = shards == wanted and not merged["outcome"]["differ"] and not merged["disagreements"]
    chips = [chip("complete" if whole else "not whole", f"{shards:,} of {wanted:,} shards", "good" if whole else "warn"),
             chip(str(len(new)), "new failures", "bad" if new else "good"), chip(str(len(known)), "known failures", "warn" if known else ""),
             chip(short(cycles), "cycles checked"), chip(f"{this['core_hours']:.3g}", "core-hours")]
    found = "".join(map(bug, new + known)) or "<p>None.</p>"
    return document(
        f"Campaign of {merged['outcome']['commit']}",
        f"<p><a href=\"index.html\">All nights</a></p><h1>Night {this['number']}, commit {escape(merged['outcome']['commit'])}</h1>"
        f"<p class=\"soft\">begun {escape(this['about'].get('began', '?'))}, <a href=\"{quote(this['name'])}.json\">as JSON</a></p>"
        f"<div class=\"chips\">{''.join(chips)}</div><h2>Failures</h2>{found}<h2>What ran</h2>{jobs(merged)}"
        f"{coverage(merged['coverage'])}{verdicts(merged)}{left(merged)}{trends(nights)}")


def index(nights: list[dict[str, Any]]) -> bytes:
    """The page of all campaigns: trends, and a line for each."""
    rows = []
    for night in reversed(nights):
        cycles = sum(job["counts"].get("cycles", 0) for job in night["jobs"].values())
        cells = [("", f'<a href="{quote(night["name"])}.html">{night["number"]}: {escape(night["commit"])}</a>'),
                 ("begun", escape(night["about"].get("began", "?"))),
                 ("shards missing", str(night["missing"])), ("failures", str(len(night["bugs"]))), ("cycles", short(cycles)),
                 ("core-hours", f"{night['core_hours']:.3g}")]
        rows.append("<tr>" + "".join(f'<td data-name="{title}">{cell}</td>' for title, cell in cells) + "</tr>")
    head = "".join(f"<th>{title}</th>" for title in ("night", "begun", "shards missing", "failures", "cycles", "core-hours"))
    return document("Campaigns", f"<h1>Campaigns</h1>{trends(nights)}<h2>Nights</h2><div class=\"scroll\"><table class=\"jobs\"><thead><tr>{head}"
                    f"</tr></thead><tbody>{''.join(rows)}</tbody></table></div>")


def ours(folder: pathlib.Path) -> None:
    """Refuses a directory whose index is not one of campaigns: it would be replaced."""
    index_ = folder / "index.html"
    if index_.exists() and b"<title>Campaigns</title>" not in index_.read_bytes()[:1000]:
        raise Refused(f"{index_} is not of this program, and the pages of a campaign would take its place; name another directory with --folder")


def draw(folder: pathlib.Path, merged: dict[str, Any], until: list[dict[str, Any]], every: list[dict[str, Any]]) -> pathlib.Path:
    """Writes the page and the JSON of a campaign, and the index. Returns the page."""
    name = until[-1]["name"]
    write(folder / f"{name}.json", text({**merged, "night": until[-1]}), replace=True)
    write(folder / f"{name}.html", night_page(merged, until), replace=True)
    write(folder / "index.html", index(every), replace=True)
    return folder / f"{name}.html"
