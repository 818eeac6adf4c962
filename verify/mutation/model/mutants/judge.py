"""What becomes of each mutant: the recorded runs, then the model's own tests, look at it."""

import dataclasses
import json
import math
import os
import re
import resource
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterable

from listing import Mutant

# Seconds of processor time, and bytes, after which a mutant counts as one that never ends. On a machine where a program takes more than a
# quarter of its seconds without a mutant, a mutant has four times what that took (`baseline`): slow is not endless. Without a mutant a
# program may take ten times its seconds.
REPLAY_SECONDS = 12
TEST_SECONDS = 2
FOURFOLD = 4
TENFOLD = 10
MEMORY = 4 << 30

# How a mutant ends a program: it runs out of time (SIGXCPU), out of memory or into a panic within a panic (SIGABRT), out of stack
# (SIGSEGV, SIGABRT). No other signal is the mutant's: SIGKILL comes from the machine.
MUTANTS_SIGNALS = {signal.SIGXCPU, signal.SIGABRT, signal.SIGSEGV}
# The exit code of a test program of which a test failed.
TESTS_FAILED = 101


@dataclass
class Programs:
    """What looks at mutants."""

    replay: Path
    recording: Path
    tests: list[Path]
    # The functions (by number) that each program enters without a mutant; empty: not known.
    entered: dict[Path, set[int]] = dataclasses.field(default_factory=dict)
    # Seconds of the processor after which a mutant never ends.
    replay_seconds: int = REPLAY_SECONDS
    test_seconds: int = TEST_SECONDS
    # The function of each mutant.
    functions: dict[int, int] = dataclasses.field(default_factory=dict)

    def concerns(self, program: Path, mutant: Mutant) -> bool:
        """A program that never enters a function cannot notice what changes in it."""
        return not self.entered or self.functions[mutant.number] in self.entered[program]

    def seconds(self, program: Path) -> int:
        """Seconds of the processor that the program has."""
        return self.replay_seconds if program == self.replay else self.test_seconds

    def has_taken(self, program: Path, seconds: float) -> None:
        """Gives a mutant four times what the program takes without one."""
        enough = math.ceil(FOURFOLD * seconds)
        if program == self.replay:
            self.replay_seconds = max(self.replay_seconds, enough)
        else:
            self.test_seconds = max(self.test_seconds, enough)

    def for_one(self, replay: Path, tests: list[Path]) -> "Programs":
        """Programs of one mutant, with the same time and recording."""
        return Programs(replay, self.recording, tests, replay_seconds=self.replay_seconds, test_seconds=self.test_seconds)


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
    # At the hard limit the kernel sends SIGKILL, like a machine without memory: the soft one comes first.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command: list[str], number: int | str, seconds: int) -> subprocess.CompletedProcess:
    return subprocess.run(
        command,
        env=os.environ | {"MUTANT": str(number), "RUST_BACKTRACE": "0"},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        preexec_fn=lambda: limits(seconds),
    )


def ended_by_mutant(program: Path, done: subprocess.CompletedProcess, mutant: Mutant) -> bool:
    """Whether a signal that the mutant caused ended the program. Another end says nothing about the mutant."""
    if done.returncode >= 0:
        return False
    if -done.returncode not in MUTANTS_SIGNALS:
        raise Unsound(f"{program.name} was ended by signal {-done.returncode}, which no mutant sends (is there memory left?): {mutant.id}")
    return True


def replayed(programs: Programs, number: int, verdict: Verdict) -> None:
    """Holds the mutant against the recording."""
    if not programs.concerns(programs.replay, verdict.mutant):
        return
    done = run([str(programs.replay), str(programs.recording)], number, programs.seconds(programs.replay))
    if done.returncode == 0:
        return
    if ended_by_mutant(programs.replay, done, verdict.mutant):
        verdict.killed_by.append("replay")
        verdict.field = "never ends"
        return
    if done.returncode != 1:
        raise Unsound(f"exit code {done.returncode} of the replay for {verdict.mutant.id}: {done.stderr.strip()}")
    verdict.killed_by.append("replay")
    told = json.loads(done.stdout)
    verdict.cycles, verdict.cycle, verdict.field = told["cycles"], told["cycle"], told["field"]
    verdict.run = f"{told['name']} {told['seed']}"


def tested(programs: Programs, number: int, verdict: Verdict) -> None:
    """Runs the model's own tests on the mutant."""
    for program in programs.tests:
        if not programs.concerns(program, verdict.mutant):
            continue
        done = run([str(program), "--test-threads", "1"], number, programs.seconds(program))
        if done.returncode == 0:
            continue
        ended = ended_by_mutant(program, done, verdict.mutant)
        failed = re.findall(r"^test (\S+)(?: - should panic)? \.\.\. FAILED$", done.stdout, re.M)
        if not ended and (done.returncode != TESTS_FAILED or not failed):
            raise Unsound(f"exit code {done.returncode} of {program.name} without a test that failed, for {verdict.mutant.id}: {done.stderr.strip()[-2000:]}")
        # Ended in the test that was begun last.
        failed = failed or re.findall(r"^test (\S+) \.\.\. ", done.stdout, re.M)[-1:] or ["?"]
        verdict.tests += [f"{program.stem.rsplit('-', 1)[0]}::{name}" for name in failed]
        if ended:
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


def unchanged(programs: Programs, program: Path, number: str) -> subprocess.CompletedProcess:
    """Runs a program on the model without a mutant, which has to pass."""
    arguments = [str(programs.recording)] if program == programs.replay else ["--nocapture", "--test-threads", "1"]
    seconds = TENFOLD * programs.seconds(program)
    done = run([str(program), *arguments], number, seconds)
    if done.returncode == -signal.SIGXCPU:
        raise Unsound(f"{program.name} takes more than {seconds} s of the processor without a mutant")
    if done.returncode != 0:
        raise Unsound(f"the model without a mutant fails {program.name}: {done.stdout.strip()} {done.stderr.strip()[-2000:]}")
    return done


def children_took() -> float:
    """Seconds of the processor that the programs run so far have taken."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def baseline(programs: Programs) -> dict:
    """What the model without a mutant shows; it has to pass everything. Learns how long a program may take with a mutant, and which
    functions it enters; the run that tells these takes longer than one without, so the time is that of another run."""
    for program in [programs.replay, *programs.tests]:
        before = children_took()
        done = unchanged(programs, program, "0")
        programs.has_taken(program, children_took() - before)
        if program == programs.replay:
            shown = json.loads(done.stdout)
        traced = unchanged(programs, program, "trace")
        programs.entered[program] = {int(number) for number in re.findall(r"entered (\d+)", traced.stderr)}
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
