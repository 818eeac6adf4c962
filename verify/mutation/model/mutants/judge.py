"""What becomes of each mutant: the recorded runs, then the model's own tests, look at it."""

import dataclasses
import json
import os
import re
import resource
import subprocess
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterable

from listing import Mutant

# Seconds of processor time, and bytes, after which a mutant counts as one that never ends. Without a mutant the replay takes two
# seconds, and no test program a tenth of one.
REPLAY_SECONDS = 12
TEST_SECONDS = 2
MEMORY = 4 << 30


@dataclass
class Programs:
    """What looks at mutants."""

    replay: Path
    recording: Path
    tests: list[Path]
    # The functions (by number) that each program enters without a mutant; empty: not known.
    entered: dict[Path, set[int]] = dataclasses.field(default_factory=dict)
    # The function of each mutant.
    functions: dict[int, int] = dataclasses.field(default_factory=dict)

    def concerns(self, program: Path, mutant: Mutant) -> bool:
        """A program that never enters a function cannot notice what changes in it."""
        return not self.entered or self.functions[mutant.number] in self.entered[program]


@dataclass
class Verdict:
    mutant: Mutant
    # killed, survived, or not viable.
    verdict: str
    # What noticed: `replay`, `tests`.
    killed_by: list[str] = dataclasses.field(default_factory=list)
    # The cycle of the kill, counted over all runs, and in its run.
    cycles: int | None = None
    run: str | None = None
    cycle: int | None = None
    field: str | None = None
    # Tests of the model that fail.
    tests: list[str] = dataclasses.field(default_factory=list)
    why: str | None = None

    def line(self) -> str:
        """A line of JSON for the tables."""
        mutant = self.mutant
        about = {"id": mutant.id, "side": "model", "file": mutant.file, "line": mutant.line, "stage": mutant.stage}
        about |= {"function": mutant.function, "genre": mutant.genre, "before": mutant.before, "after": mutant.after}
        return json.dumps(about | {key: value for key, value in dataclasses.asdict(self).items() if key != "mutant"})


class Unsound(Exception):
    """The programs cannot judge."""


def limits(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command: list[str], number: int | str, seconds: int = TEST_SECONDS) -> subprocess.CompletedProcess:
    return subprocess.run(
        command,
        env=os.environ | {"MUTANT": str(number), "RUST_BACKTRACE": "0"},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        preexec_fn=lambda: limits(seconds),
    )


def replayed(programs: Programs, number: int, verdict: Verdict) -> None:
    """Holds the mutant against the recording."""
    if not programs.concerns(programs.replay, verdict.mutant):
        return
    done = run([str(programs.replay), str(programs.recording)], number, REPLAY_SECONDS)
    if done.returncode == 2:
        raise Unsound(done.stderr.strip())
    if done.returncode == 0:
        return
    verdict.killed_by.append("replay")
    if done.returncode < 0:
        verdict.field = "never ends"
        return
    told = json.loads(done.stdout)
    verdict.cycles, verdict.cycle, verdict.field = told["cycles"], told["cycle"], told["field"]
    verdict.run = f"{told['name']} {told['seed']}"


def tested(programs: Programs, number: int, verdict: Verdict) -> None:
    """Runs the model's own tests on the mutant."""
    for program in programs.tests:
        if not programs.concerns(program, verdict.mutant):
            continue
        done = run([str(program), "--test-threads", "1"], number)
        if done.returncode == 0:
            continue
        target = program.stem.rsplit("-", 1)[0]
        failed = re.findall(r"^test (\S+)(?: - should panic)? \.\.\. FAILED$", done.stdout, re.M)
        # Killed by the limits: in the test that was begun last.
        failed = failed or re.findall(r"^test (\S+) \.\.\. ", done.stdout, re.M)[-1:] or ["?"]
        verdict.tests += [f"{target}::{name}" for name in failed]
        if done.returncode < 0:
            # The other programs would not end either.
            break
    if verdict.tests:
        verdict.killed_by.append("tests")


def judge(programs: Programs, mutant: Mutant, number: int, all_tests: bool) -> Verdict:
    """The verdict about one mutant, which `number` selects; without `all_tests` the tests look only at what the recording does not
    notice."""
    verdict = Verdict(mutant, "survived")
    replayed(programs, number, verdict)
    if all_tests or not verdict.killed_by:
        tested(programs, number, verdict)
    if verdict.killed_by:
        verdict.verdict = "killed"
    return verdict


def baseline(programs: Programs) -> dict:
    """What the model without a mutant shows; it has to pass everything. Learns which functions are entered."""
    for program in [programs.replay, *programs.tests]:
        arguments = [str(programs.recording)] if program == programs.replay else ["--nocapture"]
        done = run([str(program), *arguments], "trace", 10 * REPLAY_SECONDS)
        if done.returncode != 0:
            raise Unsound(f"the model without a mutant fails {program.name}: {done.stdout.strip()} {done.stderr.strip()[-2000:]}")
        programs.entered[program] = {int(number) for number in re.findall(r"entered (\d+)", done.stderr)}
        if program == programs.replay:
            shown = json.loads(done.stdout)
    return shown


def judge_all(
    programs: Programs, mutants: list[Mutant], jobs: int, all_tests: bool, told: Callable[[int, Verdict], None]
) -> Iterable[Verdict]:
    """All verdicts, in the order of the mutants."""
    verdicts: dict[int, Verdict] = {}
    with ThreadPoolExecutor(jobs) as pool:
        started = [pool.submit(judge, programs, mutant, mutant.number, all_tests) for mutant in mutants]
        try:
            for done in as_completed(started):
                verdict = done.result()
                verdicts[verdict.mutant.number] = verdict
                told(len(verdicts), verdict)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [verdicts[mutant.number] for mutant in mutants]
