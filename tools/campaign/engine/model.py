# SPDX-License-Identifier: MIT OR Apache-2.0
"""Jobs, the shards that they are cut into, and the outcome of a shard."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

# Shards in a directory of results.
BUCKET = 1000


def digest(value: Any, length: int = 64) -> str:
    """Returns the SHA-256 of a value's canonical JSON, in hexadecimal digits."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def safe(text: str) -> str:
    """Returns `text` as the name of one file, reversible and different for different texts."""
    return re.sub(r"[^A-Za-z0-9._-]", lambda one: f"~{ord(one[0]):x}.", text) or "~"


@dataclasses.dataclass(frozen=True)
class Job:
    """A job of the list.

    `items` are the things that it is done for (units, proofs); `shards` ranges of `span` seeds each follow for every item, from `first` on.
    `tree`: whether a shard reads the sources, which then have to be those of the commit. `extra`: whether the job runs only if it is named.
    `pure`: whether the outcome of a shard is a function of commit, job and seeds. `alone`: whether nothing else runs at the same time.
    """

    name: str
    about: str
    reader: str
    command: tuple[str, ...]
    items: tuple[str, ...] = ("all",)
    shards: int = 1
    span: int = 1
    first: int = 0
    seeded: bool = False
    pure: bool = True
    alone: bool = False
    tree: bool = False
    extra: bool = False
    limit: int = 0
    sizes: dict[str, int] = dataclasses.field(default_factory=dict)
    environment: dict[str, str] = dataclasses.field(default_factory=dict)
    programs: tuple[str, ...] = ()
    prepare: tuple[str, ...] = ()

    def digest(self) -> str:
        """Returns eight digits that differ if a shard of the same seeds would do something else."""
        what = [self.command, self.reader, sorted(self.sizes.items()), sorted(self.environment.items()), self.pure]
        return digest(what, 8)

    def cut(self) -> Iterator[Shard]:
        """Yields the shards. Seeds vary slowest, so that a campaign that is stopped has seen every item."""
        mark = self.digest()
        for number in range(self.shards):
            for item in self.items:
                yield Shard(self.name, item, self.first + number * self.span, self.span, mark)

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Job:
        values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}
        return cls(**values)


@dataclasses.dataclass(frozen=True, order=True)
class Shard:
    """A part of a job: an item and a range of seeds."""

    job: str
    item: str
    first: int
    span: int
    mark: str

    @property
    def key(self) -> str:
        """The shard's name. The commit is that of the campaign."""
        return f"{self.job}/{self.item}@{self.first}+{self.span}.{self.mark}"

    @property
    def file(self) -> str:
        """The place of the result, relative to the directory of results."""
        bucket = self.first // (BUCKET * self.span)
        return f"{safe(self.job)}/{safe(self.item)}/{bucket}/{self.first}+{self.span}.{self.mark}.json"

    @classmethod
    def of_key(cls, key: str) -> Shard:
        """Returns the shard of a key."""
        found = re.fullmatch(r"([^/]+)/(.+)@(\d+)\+(\d+)\.([0-9a-f]{8})", key)
        if not found:
            raise ValueError(f"{key!r} is not the key of a shard")
        return cls(found[1], found[2], int(found[3]), int(found[4]), found[5])


@dataclasses.dataclass(frozen=True)
class Failure:
    """A failure that a shard found. Failures of one unit, kind, stage and field are one line."""

    unit: str
    kind: str
    stage: str
    field: str
    headline: str
    repeat: str
    capsule: str = ""


@dataclasses.dataclass
class Outcome:
    """What a shard found out. `verdict` is `pass` or `fail`."""

    verdict: str
    counts: dict[str, int] = dataclasses.field(default_factory=dict)
    items: dict[str, str] = dataclasses.field(default_factory=dict)
    failures: list[Failure] = dataclasses.field(default_factory=list)
    artefacts: dict[str, str] = dataclasses.field(default_factory=dict)
    # SHA-256 of the artefacts that are functions of the seeds, so that two runs are compared in them as well.
    seals: dict[str, str] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        data = dataclasses.asdict(self)
        if not self.seals:
            del data["seals"]
        data["failures"].sort(key=lambda one: json.dumps(one, sort_keys=True))
        return data
