"""The mutants that cargo-mutants makes of the model."""

import json
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

MODEL = "lwp-model/src/"

# Prints only; not the unit, but how errors and rows are worded.
LEFT_OUT = r"impl (fmt::Display|fmt::Debug|core::error::Error)"


@dataclass(frozen=True)
class Place:
    """From one character of a file up to another one; lines and columns count from 1."""

    first: tuple[int, int]
    after: tuple[int, int]

    @staticmethod
    def of(span: dict) -> "Place":
        def point(name: str) -> tuple[int, int]:
            return span[name]["line"], span[name]["column"]

        return Place(point("start"), point("end"))


@dataclass(frozen=True)
class Mutant:
    """One change. Its number selects it in a woven tree; 0 selects none."""

    number: int
    unit: str
    id: str
    file: str
    function: str
    returns: str
    body: Place
    place: Place
    replacement: str
    genre: str
    before: str
    after: str

    @property
    def line(self) -> int:
        return self.place.first[0]

    @property
    def stage(self) -> str:
        """The file, without folders: stages are files."""
        path = self.file.removeprefix(MODEL).removeprefix(f"{self.unit}/")
        return path.removesuffix(".rs")


def units(root: Path) -> list[str]:
    """The units whose mutants are judged: each has a folder beside this one. The first is that of the harness's table."""
    named = [path.parent.name for path in (root / "verify/mutation/model").glob("*/equivalent.toml")]
    table = (root / "sim-harness/build/units.rs").read_text()
    return sorted(named, key=lambda name: table.find(f'name: "{name}"'))


def area(root: Path, unit: str, file: str) -> bool:
    """Whether a file of the model belongs to this unit. What is no unit's belongs to the first one. Units of the model are the folders that
    have a `unit.rs`."""
    first, _, rest = file.removeprefix(MODEL).partition("/")
    if rest and (root / MODEL / first / "unit.rs").is_file():
        return first == unit
    return unit == units(root)[0]


def every(root: Path, cargo_mutants: str, unit: str) -> list[Mutant]:
    """All mutants of a unit, in the order of the files."""
    command = [cargo_mutants, "mutants", "--list", "--json", "--no-config", "-d", str(root), "-p", "lwp-model"]
    command += ["--exclude-re", LEFT_OUT]
    listed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    own = [entry for entry in json.loads(listed) if area(root, unit, entry["file"])]
    return [of(number + 1, entry, unit) for number, entry in enumerate(own)]


def of(number: int, entry: dict, unit: str) -> Mutant:
    changed = [line for line in entry["diff"].splitlines()[2:] if line[:1] in "+-"]
    # None: in a constant.
    function = entry["function"] or {"function_name": "", "return_type": "", "span": entry["span"]}
    return Mutant(
        number=number,
        unit=unit,
        id=entry["name"],
        file=entry["file"],
        function=function["function_name"],
        returns=function["return_type"],
        body=Place.of(function["span"]),
        place=Place.of(entry["span"]),
        replacement=entry["replacement"],
        genre=entry["genre"],
        before=" ".join(line[1:].strip() for line in changed if line[0] == "-"),
        after=" ".join(line[1:].strip() for line in changed if line[0] == "+").replace(" /* ~ changed by cargo-mutants ~ */", ""),
    )


def sample(mutants: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """So many of them, the same for the same seed."""
    chosen = random.Random(seed).sample(mutants, min(size, len(mutants)))
    return sorted(chosen, key=lambda mutant: mutant.number)
