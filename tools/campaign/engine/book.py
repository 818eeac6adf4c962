# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of the book that are made of a campaign. A page names each between two lines:

    <!-- campaign book: proofs tsc -->
    <!-- end of campaign book -->

`proofs UNIT` has the seconds of its proofs; `mutants-rtl UNIT` and `mutants-model UNIT` the scores of its mutants, with `all` behind it every
table of theirs. Nothing is written unless every table of every page can be made, or every one of the kinds that `--only` names."""

from __future__ import annotations

import argparse
import pathlib
import re
import subprocess
from collections.abc import Callable, Sequence

from . import Refused, plan
from .model import Job, Shard
from .store import Broken, Store
from .terminal import say, tell
from .verbs import opened

FIRST, LAST = "<!-- campaign book: ", "<!-- end of campaign book -->"
BEGINS = re.compile(rf"^{FIRST}", re.MULTILINE)
PLACE = re.compile(rf"^{FIRST}(\S+) (\S+)( all)? -->\n(.*?)^{LAST}$", re.MULTILINE | re.DOTALL)
KINDS = ("proofs", "mutants-rtl", "mutants-model")
RUN = re.compile(r"^\[ *\d+/\d+\] (\S+) +(\S.*?) +\d+ s \((\d+) s of processor\)  (.+)$", re.MULTILINE)
BOUND = re.compile(r"^(\S+) +cover +(\d+ cycles) ", re.MULTILINE)


def table(heads: list[str], numbers: int, rows: list[list[str]]) -> str:
    """A table of Markdown; its last columns hold numbers."""
    lines = [heads, ["---"] * (len(heads) - numbers) + ["--:"] * numbers, *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def proofs(logs: list[str]) -> str:
    """Seconds of the processor of each proof by build and straps, then of the covers; how long seeded bugs take. What does not pass has its
    verdict in the place of the seconds."""
    proved: dict[tuple[str, str], dict[str, str]] = {}
    covers, bugs, missed = [], [], []
    printed = "\n".join(logs)
    bounds = dict(BOUND.findall(printed))
    for name, kind, seconds, verdict in RUN.findall(printed):
        _, family, build = name.split("/", 2)
        passed = verdict.startswith("PASS")
        if "#" in name:
            (bugs if verdict == "found" else missed).append((int(seconds), name))
        elif kind == "cover":
            reached = re.sub(r"\D", "", verdict) if passed else verdict
            covers.append([f"`{family}`", f"`{build}`", bounds.get(name, ""), seconds, reached])
        else:
            proved.setdefault((family, kind.replace("k=", "k = ")), {})[f"`{build}`"] = seconds if passed else verdict
    builds = list(dict.fromkeys(build for row in proved.values() for build in row))
    rows = [[f"`{family}`", kind, *(row.get(build, "") for build in builds)] for (family, kind), row in proved.items()]
    text = table(["proof", "kind", *builds], len(builds), rows)
    if covers:
        text += "\n" + table(["covers", "build", "bound", "seconds", "reached"], 3, covers)
    if bugs:
        least, most = min(bugs)[0], max(bugs)[0]
        text += f"\nSeeded bugs found: {len(bugs)}, in {least if least == most else f'{least} to {most}'} seconds.\n"
    if missed:
        text += f"\nSeeded bugs not found: {', '.join(f'`{name}`' for _, name in missed)}.\n"
    return text


def scores(report: str, everything: bool) -> str:
    """The tables of `rtl-mutants --report`: by module and by what kills; or all of them."""
    tables = [part for part in report.split("\n\n") if part.startswith("| ")]
    wanted = [part for part in tables if everything or re.match(r"\| (module, |killed by)", part)]
    return "\n\n".join(part.strip() for part in wanted) + "\n"


def stages(page: str, everything: bool) -> str:
    """The page of `tables.py`; or its table by stage alone."""
    return page.strip() + "\n" if everything else page.partition("### Score by stage\n")[2].partition("\n### ")[0].strip() + "\n"


def filled(text: str, kinds: Sequence[str], make: Callable[[str, str, bool], str]) -> str:
    """Returns a page with its tables of these kinds made anew."""
    places = PLACE.findall(text)
    if len(BEGINS.findall(text)) != len(places):
        raise Refused(f"a line `{FIRST}...` has no `{LAST}` behind it, or another form")
    for what, *_ in places:
        known(what)

    def renewed(at: re.Match[str]) -> str:
        if at[1] not in kinds:
            return at[0]
        return f"{FIRST}{at[1]} {at[2]}{at[3] or ''} -->\n\n{make(at[1], at[2], bool(at[3]))}\n{LAST}"

    return PLACE.sub(renewed, text)


def known(kind: str) -> str:
    """A kind of tables, or the end."""
    if kind not in KINDS:
        raise Refused(f"there is no table `{kind}`; there are {', '.join(KINDS[:-1])} and {KINDS[-1]}")
    return kind


class Tables:
    """Makes tables of the results of a campaign."""

    def __init__(self, store: Store, root: pathlib.Path) -> None:
        self.store, self.root, self.manifest = store, root, store.manifest()

    def kept(self, job: str, unit: str, name: str) -> list[pathlib.Path]:
        """Artefacts of this name of the shards of a unit, each of which has a result."""
        shards: list[Shard] = [shard for data in self.manifest["jobs"] if data["name"] == job for shard in Job.from_json(data).cut()
                               if shard.item.partition("/")[0] == unit]
        results = [(shard, self.store.done(shard, self.manifest["commit"])) for shard in shards]
        missing = [shard.key for shard, result in results if not result]
        if missing or not results:
            raise Refused(f"{self.store.folder} has no result of {', '.join(missing[:5]) or f'{job}/{unit}'}: `campaign run --only {job}` makes it")
        try:
            return [self.store.artefact(result, name) for _, result in results if result]
        except Broken as error:
            raise Refused(str(error)) from None

    def said(self, *command: str) -> str:
        ended = subprocess.run(command, cwd=self.root, capture_output=True, text=True)
        if not ended.stdout:
            raise Refused(f"`{' '.join(command)}` printed nothing: {ended.stderr.strip()[:300]}")
        return ended.stdout

    def make(self, what: str, unit: str, everything: bool) -> str:
        """The table of a place."""
        if what == "proofs":
            return proofs([path.read_text() for path in self.kept("formal", unit, "log")])
        if what == "mutants-rtl":
            file, = self.kept("mutants-rtl", unit, "verdicts")
            program = "target/release/rtl-mutants"
            if not (self.root / program).exists():
                raise Refused(f"there is no {program}: `cargo build --release -p rtl-mutants` makes it")
            return scores(self.said(program, "--unit", unit, "--report", "--verdicts", str(file)), everything)
        self.kept("mutants-model", unit, "verdicts")
        script = "verify/mutation/model/mutants/tables.py"
        return stages(self.said(script, "--unit", unit, "--campaign", str(self.store.folder)), everything)


def book(arguments: argparse.Namespace) -> int:
    """`campaign book`: fills the pages."""
    kinds = [known(kind) for kind in arguments.only.split(",")] if arguments.only else KINDS
    store = opened(arguments)
    tables = Tables(Store(store.folder.resolve()), plan.ROOT)
    folder = arguments.pages or plan.ROOT / "docs/src"
    made = {}
    for page in sorted(folder.rglob("*.md")):
        text = page.read_text()
        if BEGINS.search(text):
            try:
                made[page] = filled(text, kinds, tables.make)
            except Refused as error:
                raise Refused(f"{page}: {error}; nothing was written") from None
    if not made:
        raise Refused(f"no page in {folder} has a line `{FIRST}...`")
    changed = {page: text for page, text in made.items() if text != page.read_text()}
    for page, text in changed.items():
        page.write_text(text)
        say(str(page))
    if not changed:
        tell("campaign: every table is already of these results")
    return 0
