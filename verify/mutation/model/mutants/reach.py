"""Which functions of the model each of its tests enters, and so which mutants belong to a requirement."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import judge
from listing import Mutant


def entered(programs: judge.Programs, mutants: list[Mutant]) -> dict[str, list[str]]:
    """The functions that each test enters, as `file function`."""
    by_number = {mutant.number: mutant for mutant in mutants}
    found = {}
    for program in programs.tests:
        target = program.stem.rsplit("-", 1)[0]
        listed = judge.run([str(program), "--list", "--format=terse"], 0, judge.TEST_SECONDS).stdout
        for name in re.findall(r"^(\S+): test$", listed, re.M):
            done = judge.run([str(program), "--exact", name, "--nocapture"], "trace", judge.TENFOLD * judge.TEST_SECONDS)
            numbers = re.findall(r"entered (\d+)", done.stderr)
            found[f"{target}::{name}"] = sorted({place(by_number[int(number)]) for number in numbers})
    return found


def place(mutant: Mutant) -> str:
    return f"{mutant.file} {mutant.function}"


def shown_by(root: Path) -> dict[str, list[str]]:
    """The tests of the model that show each requirement, as the program `requirements` finds them."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "requirements", "--", "list"]
    listed = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout
    shown = {}
    for line in listed.splitlines():
        requirement, _kind, *evidence = line.split()
        ours = [test_name(*found) for found in re.findall(r"test:lwp-model/(\S+)\.rs::(\S+)", " ".join(evidence))]
        if ours:
            shown[requirement] = ours
    return shown


def test_name(file: str, name: str) -> str:
    """As the test programs call it: `tests/ring` and `src/lwp/store` are files of lwp-model."""
    folder, _, path = file.partition("/")
    modules = path.removesuffix("/mod").replace("/", "::")
    return f"{modules}::{name}" if folder == "tests" else f"lwp_model::{modules}::tests::{name}"


def of_requirements(shown: dict[str, list[str]], entered: dict[str, list[str]]) -> dict[str, dict[str, list[str]]]:
    """Tests and functions of each requirement. Its functions are those that its tests enter. Of a test of the whole unit those do not
    count that more than half of all tests enter, which belong to no requirement more than to another."""
    entering = Counter(function for functions in entered.values() for function in functions)
    particular = {function for function, number in entering.items() if number <= len(entered) / 2}

    def functions(tests: list[str]) -> list[str]:
        found = {(test, function) for test in tests for function in entered.get(test, [])}
        return sorted({function for test, function in found if test.startswith("lwp_model::") or function in particular})

    return {requirement: {"tests": tests, "functions": functions(tests)} for requirement, tests in shown.items()}
