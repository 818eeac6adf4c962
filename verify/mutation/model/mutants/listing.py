"""The mutants that cargo-mutants makes of the model."""

import json
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

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
        path = self.file.removeprefix("lwp-model/src/").removeprefix("lwp/")
        return path.removesuffix(".rs")


def every(root: Path, cargo_mutants: str) -> list[Mutant]:
    """All mutants, in the order of the files."""
    command = [cargo_mutants, "mutants", "--list", "--json", "--no-config", "-d", str(root), "-p", "lwp-model"]
    command += ["--exclude-re", LEFT_OUT]
    listed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return [of(number + 1, entry) for number, entry in enumerate(json.loads(listed))]


def of(number: int, entry: dict) -> Mutant:
    changed = [line for line in entry["diff"].splitlines()[2:] if line[:1] in "+-"]
    # None: in a constant.
    function = entry["function"] or {"function_name": "", "return_type": "", "span": entry["span"]}
    return Mutant(
        number=number,
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
