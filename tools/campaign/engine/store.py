# SPDX-License-Identifier: MIT OR Apache-2.0
"""The directory of a campaign: one file per result, put in place when it is whole."""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import pathlib
import socket
from collections.abc import Iterator
from typing import Any

from . import Refused
from .model import Job, Shard, digest

SCHEMA = "shard/1"
MANIFEST = "campaign/1"
# What a result says of the shard alone: two runs of a pure shard agree in it.
PURE = ("key", "commit", "outcome")


def write(path: pathlib.Path, data: bytes, replace: bool) -> bool:
    """Puts a file in place whole, on disk before it has its name. Returns whether it did: with `replace` unset, an earlier file is kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{socket.gethostname()}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        with fresh.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        if replace:
            os.replace(fresh, path)
            return True
        try:
            os.link(fresh, path)
        except FileExistsError:
            return False
        return True
    finally:
        with contextlib.suppress(FileNotFoundError):
            fresh.unlink()


def text(data: Any) -> bytes:
    return (json.dumps(data, sort_keys=True, indent=1) + "\n").encode()


def pure(result: dict[str, Any]) -> str:
    """Returns the digest of what a repeated run has to reproduce."""
    return digest({name: result[name] for name in PURE})


def joined(earlier: list[Job], jobs: list[Job]) -> list[Job]:
    """Returns both lists as one: a job that does the same has the items and shards of both; else the later one takes its place."""
    by_name = {job.name: job for job in earlier}
    for job in jobs:
        old = by_name.get(job.name)
        if old and (old.digest(), old.first, old.span) == (job.digest(), job.first, job.span):
            job = dataclasses.replace(job, items=tuple(dict.fromkeys((*old.items, *job.items))), shards=max(old.shards, job.shards))
        by_name[job.name] = job
    return list(by_name.values())


class Broken(Exception):
    """A file that is not a whole result of this campaign; the text says why."""


class Store:
    """Results and manifest of a campaign."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.results = folder / "results"

    # The manifest.

    def manifest(self) -> dict[str, Any]:
        path = self.folder / "campaign.json"
        try:
            data = json.loads(path.read_bytes())
        except FileNotFoundError:
            raise Refused(f"{self.folder} holds no campaign; `campaign run --folder {self.folder}` begins one") from None
        except (OSError, ValueError) as error:
            raise Refused(f"{path} cannot be read: {error}; move the directory away, or name another one with --folder") from None
        if not isinstance(data, dict) or data.get("schema") != MANIFEST:
            raise Refused(f"{path} is not a manifest of schema {MANIFEST}; name another directory with --folder")
        return data

    def plan(self, commit: str, jobs: list[Job], programs: dict[str, str], about: dict[str, Any]) -> dict[str, Any]:
        """Writes the manifest: these jobs, and those that the campaign has already. A directory of another commit is refused."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if (self.folder / "campaign.json").exists():
            earlier = self.manifest()
            if earlier["commit"] != commit:
                raise Refused(f"{self.folder} is a campaign of commit {earlier['commit']}, this tree is {commit}; name another "
                              "directory with --folder, nothing was changed")
            programs = {**earlier["programs"], **programs}
            jobs = joined([Job.from_json(one) for one in earlier["jobs"]], jobs)
            about = {**about, "began": earlier["about"].get("began", about.get("began"))}
        data = {"schema": MANIFEST, "commit": commit, "jobs": [job.to_json() for job in jobs], "programs": programs, "about": about}
        write(self.folder / "campaign.json", text(data), replace=True)
        return data

    # Results.

    def place(self, shard: Shard) -> pathlib.Path:
        return self.results / shard.file

    def done(self, shard: Shard, commit: str) -> dict[str, Any] | None:
        """Returns the result of a shard; `None` if there is none, or a broken one, which is put aside."""
        path = self.place(shard)
        try:
            return self.read(path, commit, shard)
        except FileNotFoundError:
            return None
        except Broken:
            self.aside(path)
            return None

    @staticmethod
    def read(path: pathlib.Path, commit: str, shard: Shard | None = None) -> dict[str, Any]:
        """Reads a result and checks that it is whole, of this commit, and of the shard."""
        try:
            result = json.loads(path.read_bytes())
        except ValueError:
            raise Broken("half written: not JSON") from None
        if not isinstance(result, dict) or result.get("schema") != SCHEMA:
            raise Broken(f"not of schema {SCHEMA}")
        seal = result.get("digest")
        if seal != digest({name: value for name, value in result.items() if name != "digest"}):
            raise Broken("half written or changed: its digest is of other content")
        if result["commit"] != commit:
            raise Broken(f"of another commit, {result['commit']}")
        if shard and result["key"] != shard.key:
            raise Broken(f"of another shard, {result['key']}")
        return result

    def aside(self, path: pathlib.Path) -> None:
        """Moves a broken result out of the way; it is kept to be looked at."""
        target = self.folder / "broken" / f"{path.parent.parent.parent.name}-{path.parent.parent.name}-{path.name}.{os.urandom(3).hex()}"
        target.parent.mkdir(exist_ok=True)
        os.replace(path, target)

    def put(self, shard: Shard, result: dict[str, Any], replace: bool) -> str:
        """Stores a result. Returns `stored`; or `agrees` or `differs` if the shard has one already, which is kept.

        One that differs is kept as well, in `disagreements`."""
        sealed = {**result, "digest": digest(result)}
        if write(self.place(shard), text(sealed), replace):
            return "stored"
        try:
            earlier = self.read(self.place(shard), result["commit"], shard)
        except Broken:
            self.aside(self.place(shard))
            return self.put(shard, result, replace)
        if pure(earlier) == pure(result):
            return "agrees"
        name = f"{shard.file.replace('/', '-')}.{pure(result)[:12]}.json"
        write(self.folder / "disagreements" / name, text({"first": earlier, "second": sealed}), replace=True)
        return "differs"

    def files(self) -> Iterator[pathlib.Path]:
        """Yields every file of results; names that begin with a dot are not whole."""
        for folder, folders, names in os.walk(self.results):
            folders.sort()
            for name in names:
                if name.endswith(".json") and not name.startswith("."):
                    yield pathlib.Path(folder, name)

    def disagreements(self) -> list[str]:
        folder = self.folder / "disagreements"
        return sorted(path.name for path in folder.glob("*.json")) if folder.exists() else []

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Holds the directory for this process; a second campaign in it is refused."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                raise Refused(f"another campaign runs in {self.folder} ({lock.read().strip() or 'it does not say where'}); wait for its "
                              "end, or name another directory with --folder; nothing was changed") from None
            lock.truncate(0)
            lock.write(f"process {os.getpid()} on {socket.gethostname()}\n")
            lock.flush()
            yield
