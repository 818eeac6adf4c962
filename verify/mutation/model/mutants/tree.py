"""A workspace of model and replay alone, into which mutants are woven."""

import json
import os
import re
import resource
import signal
import subprocess
from pathlib import Path

from listing import Mutant
from weave import SELECTED, Source, Woven, weave

PARTS = ["lwp-regs", "lwp-model", "sim-harness/recording", "verify/mutation/model"]
# Pages of the book that tests of the model read.
PAGES = "docs/src"
# The list of units and their builds, which the replay is made from.
LIST = "sim-harness/build/units.rs"


# Processor seconds of a compiler, after which a mutant that is built alone counts as one that never ends: the compiler computes
# constants. Without a mutant it takes some ten. The build of all mutants has no limit.
COMPILER_SECONDS = 60


class Broken(Exception):
    """The tree does not compile. What the compiler said is with it; nothing, if it did not come to that."""

    def __init__(self, done: subprocess.CompletedProcess):
        super().__init__(rendered(done))
        self.errors = errors(done)


class Endless(Exception):
    """The compiler computes a constant without end."""


class Tree:
    """The workspace in a folder; if it is to be `woven`, the model's own files are left to the weaver."""

    def __init__(self, root: Path, folder: Path, woven: bool):
        self.root, self.folder, self.woven = root, folder, woven
        self.target = folder.parent / (folder.name + "-target")
        # What is there already and has not changed is not built again.
        for part in [*PARTS, PAGES]:
            for path in [path for path in sorted((root / part).rglob("*")) if path.suffix in (".rs", ".toml", ".md")]:
                if woven and "lwp-model/src/" in str(path):
                    continue
                write(folder / path.relative_to(root), path.read_text())
        write(folder / LIST, (root / LIST).read_text())
        for path in (folder / "lwp-model").rglob("*.rs"):
            if not (root / path.relative_to(folder)).exists():
                path.unlink()
        write(folder / "Cargo.lock", (root / "Cargo.lock").read_text())
        write(folder / "Cargo.toml", workspace((root / "Cargo.toml").read_text()))

    def cargo(self, *arguments: str, limit: bool = False) -> subprocess.CompletedProcess:
        command = ["cargo", *arguments, "--release", "--offline", "--message-format=json"]
        environment = os.environ | {"CARGO_TARGET_DIR": str(self.target), "RUSTFLAGS": "--cap-lints=allow", "CARGO_INCREMENTAL": "1"}
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False,
            preexec_fn=limited if limit else None,
        )
        if limit and re.search(rf"\(signal: {signal.SIGXCPU.value}\b", done.stderr):
            raise Endless(f"a compiler was stopped after {COMPILER_SECONDS} s of the processor")
        return done

    def build(self, tests: bool, limit: bool = False) -> tuple[Path, list[Path]]:
        """The replay program, and the test programs of the model; with a `limit` of the compiler's time."""
        done = self.cargo("build", "-p", "model-replay", limit=limit)
        replay = executables(done)
        test_programs = []
        if tests and done.returncode == 0:
            done = self.cargo("test", "-p", "lwp-model", "--no-run", "--lib", "--tests", limit=limit)
            test_programs = executables(done)
        if done.returncode != 0:
            raise Broken(done)
        return replay[-1], test_programs


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (COMPILER_SECONDS, COMPILER_SECONDS + 5))


def write(path: Path, text: str) -> None:
    """Leaves a file alone that is so already: cargo looks at its time."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def workspace(text: str) -> str:
    """The manifest of the whole with fewer members, and without lints, which mutants have no reason to keep."""
    text = re.sub(r"members = \[.*?\]", "members = " + json.dumps(PARTS), text, count=1, flags=re.S)
    text = re.sub(r"^\[workspace\.lints\.(\w+)\]\n(?:(?!\[).*\n)*", r"[workspace.lints.\1]\n\n", text, flags=re.MULTILINE)
    text = re.sub(r"\[profile\..*", "", text, flags=re.S)
    # Quickly built. Arithmetic wraps, like in the properties.
    return text + "[profile.release]\nopt-level = 1\ndebug = false\ncodegen-units = 16\nincremental = true\n"


def messages(done: subprocess.CompletedProcess) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def executables(done: subprocess.CompletedProcess) -> list[Path]:
    found = [message.get("executable") for message in messages(done)]
    return [Path(path) for path in found if path]


def errors(done: subprocess.CompletedProcess) -> list[dict]:
    found = [message["message"] for message in messages(done) if message.get("reason") == "compiler-message"]
    return [message for message in found if message["level"] == "error"]


def rendered(done: subprocess.CompletedProcess) -> str:
    return "\n".join(message["rendered"] for message in errors(done)[:5]) or done.stderr


class Weaver:
    """Weaves mutants into a tree and takes out those that do not compile."""

    def __init__(self, tree: Tree, mutants: list[Mutant]):
        self.tree, self.mutants = tree, mutants
        # By number: why a mutant does not compile. The woven crate has `std`; the model has no allocator.
        self.unviable = {m.number: "no allocator" for m in mutants if re.search(r"\b(Box|Vec|String)::", m.replacement)}
        # Functions that are needed where the compiler computes: their mutants are built one by one.
        self.constant: set[str] = set()
        self.woven: dict[str, Woven] = {}

    def alone(self, mutant: Mutant) -> bool:
        """Whether a mutant cannot be woven: it is in a constant, or each copy of a body has a type of its own behind `impl`."""
        return not mutant.function or mutant.function.rsplit("::", 1)[-1] in self.constant or "impl " in mutant.returns

    def write(self) -> None:
        """Writes the model's files with all mutants that can be woven."""
        for path in sorted((self.tree.root / "lwp-model/src").rglob("*.rs")):
            name = str(path.relative_to(self.tree.root))
            chosen = [m for m in self.mutants if m.file == name and m.number not in self.unviable and not self.alone(m)]
            woven = weave(path.read_text(), chosen, self.constant)
            if name.endswith("src/lib.rs"):
                woven.text = woven.text.replace("#![no_std]\n", "", 1) + SELECTED
            self.woven[name] = woven
            write(self.tree.folder / name, woven.text)

    def weave(self) -> None:
        """Until it compiles."""
        while True:
            self.write()
            done = self.tree.cargo("check", "-p", "lwp-model", "-p", "model-replay", "--lib", "--tests", "--bins")
            if done.returncode == 0:
                return
            if not any([self.blame(error) for error in errors(done)]):
                raise Broken(done)

    def blame(self, error: dict) -> bool:
        """Whether the error took something out."""
        found = re.search(r"cannot call non-const (?:associated )?(?:function|method) `(?:[^`]*::)?(\w+)", error["message"])
        if found and found[1] not in self.constant:
            self.constant.add(found[1])
            return True
        for span in error["spans"]:
            for number, (first, last) in self.woven.get(span["file_name"], Woven("")).arms.items():
                if span["is_primary"] and first <= span["line_start"] <= last:
                    self.unviable[number] = error["message"].splitlines()[0]
                    return True
        return False


class Alone:
    """Mutants that are built one by one."""

    def __init__(self, tree: Tree):
        self.tree = tree
        # A tree that does not compile by itself would make every mutant one that does not. The first build, of everything, has no limit.
        tree.build(tests=True)

    def build(self, mutant: Mutant, tests: bool) -> tuple[Path, list[Path]] | str:
        """The programs with this mutant in them, or why it does not compile."""
        text = (self.tree.root / mutant.file).read_text()
        changed = Source(text).changed(mutant, 0, len(text))
        path = self.tree.folder / mutant.file
        path.write_text(changed)
        try:
            return self.tree.build(tests, limit=True)
        except Broken as broken:
            if not any(to_blame(mutant, error) for error in broken.errors):
                raise
            return str(broken).splitlines()[0]
        finally:
            path.write_text(text)


# A crate that is missing, cut or of another compiler: no mutant makes one.
OF_CRATES = {"E0460", "E0461", "E0462", "E0463", "E0514", "E0786"}


def written(span: dict) -> dict:
    """The place in the tree from which a macro was called, for a place in a macro."""
    while span.get("expansion"):
        span = span["expansion"]["span"]
    return span


def to_blame(mutant: Mutant, error: dict) -> bool:
    """Whether a mutant alone in its tree causes this error: it is at the lines of the mutant or, as a constant reaches far, an error
    of the language (with a code) or a type without a layout anywhere in the tree. A full disk and a linker that fails have none of these."""
    last = mutant.line + mutant.replacement.count("\n")
    spans = [span for span in map(written, error["spans"]) if not span["file_name"].startswith("/")]
    at_mutant = any(span["file_name"] == mutant.file and mutant.line <= span["line_end"] and span["line_start"] <= last for span in spans)
    code = (error["code"] or {}).get("code")
    of_language = code not in OF_CRATES and (code or "too big for the target architecture" in error["message"])
    return at_mutant or bool(spans and of_language)
