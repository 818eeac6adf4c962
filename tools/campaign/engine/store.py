# SPDX-License-Identifier: MIT OR Apache-2.0
"""The directory of a campaign: one file per result, put in place when it is whole."""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import hashlib
import json
import os
import pathlib
import re
import socket
from collections.abc import Iterator
from typing import Any, BinaryIO

from . import Refused
from .model import Job, Shard, digest

SCHEMA = "shard/1"
MANIFEST = "campaign/1"
# What a result says of the shard alone: two runs of a pure shard agree in it.
PURE = ("key", "commit", "outcome")
# The manifest as `fresh` writes it: all that a campaign leaves that is killed before it is whole.
LEFT = re.compile(r"\.campaign\.json\..*\.new")


@contextlib.contextmanager
def fresh(path: pathlib.Path, replace: bool = True) -> Iterator[BinaryIO]:
    """Yields a file to write, which gets its name when it is whole and on disk. With `replace` unset an earlier file stays: FileExistsError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(f".{path.name[:200]}.{socket.gethostname()}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        with made.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        if replace:
            os.replace(made, path)
        else:
            os.link(made, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            made.unlink()


def write(path: pathlib.Path, data: bytes, replace: bool) -> bool:
    """Puts a file in place whole. Returns whether it did: with `replace` unset, an earlier file is kept."""
    try:
        with fresh(path, replace) as out:
            out.write(data)
    except FileExistsError:
        return False
    return True


def sha(path: pathlib.Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def held(path: pathlib.Path) -> Iterator[None]:
    """Waits until no other process holds this file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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
        # As it was named: what is next to a link is next to the link.
        self.folder = pathlib.Path(os.path.abspath(folder))
        self.results = self.folder / "results"

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
        try:
            for job in data["jobs"]:
                Job.from_json(job).digest()
            whole = isinstance(data["commit"], str) and isinstance(data["programs"], dict) and isinstance(data["about"], dict)
        except (TypeError, KeyError, AttributeError):
            whole = False
        if not whole:
            raise Refused(f"{path} is a manifest of another version of this program, or was changed; name another directory with --folder")
        return data

    def begun(self) -> bool:
        return (self.folder / "campaign.json").exists()

    def usable(self) -> None:
        """Refuses a directory that holds something else, and names that the pages next to a campaign have."""
        if self.folder.name in ("pages", "nights", "index"):
            raise Refused(f"{self.folder}: next to a campaign `pages` and `nights` are of all campaigns; name another directory with --folder")
        if self.folder.is_dir() and not self.begun() and not all(path.name == "lock" or LEFT.fullmatch(path.name) for path in self.folder.iterdir()):
            raise Refused(f"{self.folder} is not empty, and holds no campaign; name another directory with --folder; nothing was changed")

    def of_commit(self, commit: str) -> dict[str, Any]:
        """Returns the manifest; a campaign of another commit is refused."""
        earlier = self.manifest()
        if earlier["commit"] != commit:
            raise Refused(f"{self.folder} is a campaign of commit {earlier['commit']}, this tree is {commit}; name another "
                          "directory with --folder, nothing was changed")
        return earlier

    def plan(self, commit: str, jobs: list[Job], programs: dict[str, str], about: dict[str, Any]) -> dict[str, Any]:
        """Writes the manifest: these jobs, and those that the campaign has already; these programs alone."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.begun():
            earlier = self.of_commit(commit)
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

    def artefact(self, result: dict[str, Any], name: str) -> pathlib.Path:
        """Returns the file of an artefact of a result; `Broken` if it is not there, or not what the run left."""
        path = self.folder / result["outcome"]["artefacts"][name]
        if not path.exists():
            raise Broken(f"{path} is not there")
        seal = result["run"].get("sha256", {}).get(name)
        if seal and sha(path) != seal:
            raise Broken(f"{path} is not what the run left: its SHA-256 is another one")
        return path

    def aside(self, path: pathlib.Path) -> None:
        """Moves a broken result out of the way; it is kept to be looked at."""
        target = self.folder / "broken" / f"{path.parent.parent.parent.name}-{path.parent.parent.name}-{path.name}.{os.urandom(3).hex()}"
        target.parent.mkdir(exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
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
