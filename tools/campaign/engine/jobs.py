# SPDX-License-Identifier: MIT OR Apache-2.0
"""The list of jobs: a TOML file, checked."""

from __future__ import annotations

import dataclasses
import difflib
import pathlib
import re
import string
import subprocess
import tomllib
from collections.abc import Callable
from typing import Any

from . import Refused
from .model import Job
from .readers import READERS

KNOWN = {field.name for field in dataclasses.fields(Job)}
# Tests at their full length, of a job that is a make target.
FULL = {"LWP_TIER": "nightly", "NEXTEST_PROFILE": "nightly", "RTL_CHECKS_EVERY": "1"}
NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
# Items in a message; of more than these the nearest are named.
SOME = 12
# Placeholders of a command next to the sizes.
PLACEHOLDERS = {"item", "seed", "span", "scratch", "root", "bin"}


def words(value: Any) -> bool:
    """Whether a value is a list of words."""
    return isinstance(value, list) and all(isinstance(word, str) and word for word in value)


def items(root: pathlib.Path, name: str, wanted: Any) -> tuple[str, ...]:
    """Returns the items of a job: a list, or what a pattern finds in names of files or in the output of a command."""
    if isinstance(wanted, list):
        if not words(wanted) or not wanted or len(set(wanted)) != len(wanted) or any(set(item.split("/")) & {"", ".", ".."} for item in wanted):
            raise Refused(f"job {name}: items is a list of different names, not {wanted!r}")
        return tuple(wanted)
    if not isinstance(wanted, dict) or "name" not in wanted or len(wanted.keys() & {"files", "command"}) != 1:
        raise Refused(f"job {name}: items is a list, or has `name`, a pattern, and one of `files` and `command`")
    try:
        re.compile(wanted["name"])
    except (re.error, TypeError) as error:
        raise Refused(f"job {name}: the pattern of its items, {wanted['name']!r}: {error}") from None
    if "files" in wanted:
        try:
            lines = sorted(str(path.relative_to(root)) for path in root.glob(wanted["files"]))
        except (ValueError, NotImplementedError, TypeError) as error:
            raise Refused(f"job {name}: the files of its items, {wanted['files']!r}: {error}") from None
    elif not words(wanted["command"]) or not wanted["command"]:
        raise Refused(f"job {name}: the command of its items is a list of words, not {wanted['command']!r}")
    else:
        try:
            run = subprocess.run(wanted["command"], cwd=root, capture_output=True, text=True)
        except OSError as error:
            raise Refused(f"job {name}: the items are listed by {wanted['command'][0]}: {error.strerror}; leave out --no-build") from None
        if run.returncode:
            raise Refused(f"job {name}: `{' '.join(wanted['command'])}` lists the items, and fails: {run.stderr.strip()}")
        lines = run.stdout.splitlines()
    found = (re.match(wanted["name"], line) for line in lines)
    names = tuple(dict.fromkeys("/".join(one.groups()) for one in found if one))
    if not names:
        raise Refused(f"job {name}: no item matches {wanted['name']}")
    return names


def written_out(table: Any) -> dict[str, Any]:
    """Returns a job with the keys that `make`, a target with its variables, stands for: it uses the whole machine and keeps its seconds."""
    if not isinstance(table, dict):
        raise Refused(f"a job is a table [[job]], not {table!r}")
    if "make" not in table:
        return table
    target = table["make"]
    twice = table.keys() - {"name", "make"}
    if twice or not words(target) or not target:
        raise Refused(f"job {table.get('name', '')}: make is a list of a target and its variables, and the only key next to name")
    command = ["tools/scripts/steps", "run", "nightly", str(table.get("name", "")), "--", "make", *target]
    return {"name": table.get("name", ""), "about": " ".join(["make", *target]), "reader": "exit", "command": command, "alone": True,
            "pure": False, "environment": dict(FULL)}


def checked(table: dict[str, Any]) -> dict[str, Any]:
    """Checks the keys of a job, its name, its reader, and the placeholders of its command."""
    name = table.get("name", "")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise Refused(f"a job's name is of small letters, digits and hyphens, not {name!r}")
    unknown = table.keys() - KNOWN
    if unknown:
        raise Refused(f"job {name}: no key {', '.join(sorted(unknown))}; there are {', '.join(sorted(KNOWN))}")
    missing = {"about", "reader", "command"} - table.keys()
    if missing:
        raise Refused(f"job {name}: the key {', '.join(sorted(missing))} is missing")
    for key, (kind, fits) in KINDS.items():
        if key in table and not fits(table[key]):
            raise Refused(f"job {name}: {key} is {kind}, not {table[key]!r}")
    if table["reader"] not in READERS:
        raise Refused(f"job {name}: no reader {table['reader']}; there are {', '.join(sorted(READERS))}")
    texts = [*table["command"], *table.get("environment", {}).values()]
    try:
        used = {part for text in texts for _, part, _, _ in string.Formatter().parse(text) if part is not None}
    except ValueError as error:
        raise Refused(f"job {name}: {error}, in its command or environment; a brace that is no placeholder is written twice") from None
    strange = used - PLACEHOLDERS - table.get("sizes", {}).keys()
    if strange:
        raise Refused(f"job {name}: {', '.join(sorted(strange))} in the command or the environment is neither a size nor one of {', '.join(sorted(PLACEHOLDERS))}")
    seeded = "seed" in used
    if table.get("shards", 1) > 1 and not seeded:
        raise Refused(f"job {name}: {table['shards']} shards would all do the same: its command has no {{seed}}")
    return {**table, "seeded": seeded}


# What the keys of a job hold.
KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "about": ("a text", lambda value: isinstance(value, str)),
    "reader": ("a text", lambda value: isinstance(value, str)),
    "command": ("a list of words", lambda value: words(value) and bool(value)),
    "programs": ("a list of files of the checkout", lambda value: words(value) and not any(pathlib.PurePath(one).is_absolute() for one in value)),
    "prepare": ("a list of words", words),
    "shards": ("a number above 0", lambda value: whole(value) and value > 0),
    "span": ("a number above 0", lambda value: whole(value) and value > 0),
    "first": ("a number, 0 or above", lambda value: whole(value) and value >= 0),
    "limit": ("seconds, 0 or above", lambda value: whole(value) and value >= 0),
    "sizes": ("a table of numbers above 0", lambda value: isinstance(value, dict) and all(whole(one) and one > 0 for one in value.values())),
    "environment": ("a table of texts", lambda value: isinstance(value, dict) and all(isinstance(one, str) for one in value.values())),
    **{key: ("true or false", lambda value: isinstance(value, bool)) for key in ("pure", "alone", "tree", "extra", "seeded")},
}


def whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def tables(path: pathlib.Path) -> list[dict[str, Any]]:
    """Reads a list of jobs without their items."""
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except FileNotFoundError:
        raise Refused(f"no list of jobs {path}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path}: {error}") from None
    listed = data.get("job", [])
    if not isinstance(listed, list):
        raise Refused(f"{path}: a job is written [[job]], in two pairs of brackets")
    found = [checked(written_out(table)) for table in listed]
    names = [table["name"] for table in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice or not names:
        raise Refused(f"{path}: {'two jobs ' + ', '.join(sorted(twice)) if twice else 'no [[job]]'}")
    return found


def chosen(found: list[dict[str, Any]], only: list[str]) -> list[tuple[dict[str, Any], str]]:
    """Returns the tables that `only` names, each with the item that it is restricted to: `soak`, or `soak/lwp`."""
    if not only:
        return [(table, "") for table in found if not table.get("extra")]
    names = {table["name"]: table for table in found}
    pairs = []
    for wanted in only:
        name, _, item = wanted.partition("/")
        if name not in names:
            raise Refused(f"no job {name}; there are: {', '.join(names)}")
        pairs.append((names[name], item))
    return pairs


def has(name: str, names: tuple[str, ...], item: str) -> None:
    """Refuses an item that a job does not have."""
    if item not in names:
        near = difflib.get_close_matches(item, names, SOME, 0.3) if len(names) > SOME else names
        raise Refused(f"job {name} has no item {item}; {f'the nearest of its {len(names)}' if len(names) > SOME else 'it has'}: {', '.join(near)}")


def early(root: pathlib.Path, table: dict[str, Any], item: str) -> None:
    """Refuses an item before anything is built, if the list of items needs no program that is to be built."""
    wanted = table.get("items", ["all"])
    if item and (isinstance(wanted, list) or "files" in wanted or not wanted["command"][0].startswith("target/")):
        has(table["name"], items(root, table["name"], wanted), item)


def made(root: pathlib.Path, table: dict[str, Any], item: str, shards: int | None, sizes: dict[str, int]) -> Job:
    """Returns the job of a table, with its items, and shards and sizes as the command line has them."""
    name, sizes = table["name"], dict(sizes)
    span = sizes.pop("span", table.get("span", 1))
    unknown = sizes.keys() - table.get("sizes", {}).keys()
    if unknown:
        raise Refused(f"job {name} has no size {', '.join(sorted(unknown))}; it has: {', '.join(table.get('sizes', {})) or 'none'}")
    names = items(root, name, table.get("items", ["all"]))
    if item:
        has(name, names, item)
        names = (item,)
    values = {**table, "items": list(names), "sizes": {**table.get("sizes", {}), **sizes}, "span": span}
    if shards is not None:
        if shards > 1 and not table["seeded"]:
            raise Refused(f"job {name} has no seeds, so one shard for each item")
        values["shards"] = shards
    return Job.from_json(values)
