#!/usr/bin/env python3
"""The tables of the book's chapter on the mutants of the model.

  verify/mutation/model/mutants/tables.py                prints them
  verify/mutation/model/mutants/tables.py --unit NAME    those of another unit
  verify/mutation/model/mutants/tables.py --unit NAME --campaign target/campaign/COMMIT    from the parts of a campaign

They are made of target/mutants/UNIT/model.jsonl and model-reach.json, which `make mutants-model` leaves, or of the artefacts of a campaign, whose
`campaign book` puts them into the chapters. Exit codes: 0 done; 2 these files are missing.
"""

import argparse
import json
import statistics
import sys
from collections import defaultdict
from pathlib import Path

import listing
import reach as reaching

ROOT = Path(__file__).resolve().parents[4]
UNITS = listing.units(ROOT)
# With commas for the thousands, if any.
Row = list


def table(heads: Row, rows: list[Row]) -> str:
    """A table of Markdown; all columns but the first hold numbers."""
    lines = [heads, ["---"] + ["--:"] * (len(heads) - 1)] + rows
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def count(verdicts: list[dict], verdict: str) -> int:
    return sum(entry["verdict"] == verdict for entry in verdicts)


def score(verdicts: list[dict]) -> str:
    """Killed of those that are not proven equivalent."""
    killed, rest = count(verdicts, "killed"), count(verdicts, "killed") + count(verdicts, "survived")
    # Rounded down: 100 % means all.
    return f"{1000 * killed // rest / 10:.1f} %" if rest else ""


def cycles(verdicts: list[dict]) -> tuple[str, str]:
    """Mean and median of the cycles until the replay noticed."""
    found = [entry["cycles"] for entry in verdicts if entry["cycles"]]
    return (f"{statistics.mean(found):,.0f}", f"{statistics.median(found):,.0f}") if found else ("", "")


def by_stage(verdicts: list[dict]) -> str:
    heads = ["stage", "mutants", "not viable", "killed", "by replay", "by tests", "by both", "equivalent", "survived", "score"]
    heads += ["mean cycles", "median"]
    stages = defaultdict(list)
    for entry in verdicts:
        stages[entry["stage"]].append(entry)
    rows = []
    for name, group in [*sorted(stages.items()), ("**all**", verdicts)]:
        by = [entry["killed_by"] for entry in group]
        noticed = [sum("replay" in who for who in by), sum("tests" in who for who in by), sum(len(who) == 2 for who in by)]
        name = name if name.startswith("*") else f"`{name}`"
        counts = [count(group, verdict) for verdict in ("equivalent", "survived")]
        rows.append([name, len(group), count(group, "not viable"), count(group, "killed"), *noticed, *counts, score(group), *cycles(group)])
    return table(heads, rows)


def by_requirement(verdicts: list[dict], reach: dict) -> str:
    heads = ["requirement", "mutants", "killed", "by its own tests", "equivalent", "survived", "score"]
    functions = defaultdict(list)
    for entry in verdicts:
        if entry["verdict"] != "not viable":
            functions[f"{entry['file']} {entry['function']}"].append(entry)
    rows = []
    for requirement, own in sorted(reach["requirements"].items()):
        group = [entry for function in own["functions"] for entry in functions[function]]
        if group:
            noticed = sum(bool(set(entry["tests"]) & set(own["tests"])) for entry in group)
            counts = [count(group, verdict) for verdict in ("equivalent", "survived")]
            rows.append([requirement, len(group), count(group, "killed"), noticed, *counts, score(group)])
    return table(heads, rows)


def listed(verdicts: list[dict], verdict: str) -> str:
    lines = []
    for entry in verdicts:
        if entry["verdict"] == verdict:
            why = f"\n  ({entry['why']})" if entry["why"] else ""
            lines.append(f"- `{entry['file'].removeprefix('lwp-model/src/')}:{entry['line']}`{why}\n\n")
            lines.append(f"  ```diff\n  - {entry['before']}\n  + {entry['after']}\n  ```\n\n")
    return "".join(lines) or "None.\n"


def page(verdicts: list[dict], reach: dict) -> str:
    about = f"{reach['runs']:,} runs of {reach['cycles']:,} cycles were replayed. Cycles count from the first cycle of the first run.\n"
    slow = sum(entry["field"] == "never ends" for entry in verdicts)
    about += f"Noticed because they never end, and so without a cycle: {slow}.\n" if slow else ""
    parts = ["### Score by stage\n", about, by_stage(verdicts)]
    parts += ["### Score by requirement\n", by_requirement(verdicts, reach)]
    parts += ["### Survivors\n", listed(verdicts, "survived"), "### Proven equivalent\n", listed(verdicts, "equivalent")]
    return "\n".join(parts)


def joined(campaign: Path, unit: str) -> tuple[list[dict], dict]:
    """Verdicts and reach of the parts of a unit that a campaign has judged."""
    # A part's artefacts are in `UNIT~2f.KofN`.
    found = {path.relative_to(campaign).parts[2].partition(f"{unit}~2f.")[2]: path.parent
             for path in sorted(campaign.glob(f"artefacts/mutants-model/{unit}~2f.*/**/model.jsonl"))}
    number = max((int(part.partition("of")[2]) for part in found), default=1)
    missing = [part for part in (f"{k}of{number}" for k in range(1, number + 1)) if part not in found]
    if missing:
        raise OSError(f"{campaign} has no verdicts of mutants-model/{unit}/{', '.join(missing)}")
    verdicts = [json.loads(line) for folder in found.values() for line in (folder / "model.jsonl").read_text().splitlines()]
    reaches = [json.loads((folder / "model-reach.json").read_text()) for folder in found.values()]
    entered = defaultdict(list)
    for one in reaches:
        for test, functions in one["entered"].items():
            entered[test] += functions
    everything = {test: sorted(set(functions)) for test, functions in entered.items()}
    order = sorted(verdicts, key=lambda entry: (entry["file"], entry["line"], entry["id"]))
    return order, reaches[0] | {"requirements": reaching.of_requirements(reaching.shown_by(ROOT), everything)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unit", choices=UNITS, default=UNITS[0])
    parser.add_argument("--verdicts", type=Path, help="[default: target/mutants/UNIT/model.jsonl]")
    parser.add_argument("--reach", type=Path, help="[default: target/mutants/UNIT/model-reach.json]")
    parser.add_argument("--campaign", type=Path, help="a campaign's directory, with every part of the unit")
    options = parser.parse_args()
    folder = ROOT / "target/mutants" / options.unit
    options.verdicts = options.verdicts or folder / "model.jsonl"
    options.reach = options.reach or folder / "model-reach.json"
    try:
        if options.campaign:
            verdicts, reach = joined(options.campaign, options.unit)
        else:
            verdicts = [json.loads(line) for line in options.verdicts.read_text().splitlines()]
            reach = json.loads(options.reach.read_text())
        text = page(verdicts, reach)
    except OSError as error:
        print(f"error: {error}; run {'the campaign' if options.campaign else '`make mutants-model`'} first", file=sys.stderr)
        return 2
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
