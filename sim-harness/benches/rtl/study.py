#!/usr/bin/env python3
"""What makes the Verilated RTL fast or slow: builds it in several ways and plays the same recorded inputs on all of them, in turns.

The first way is the harness's own. Every build has to show the recorded outputs before it is timed. Exit code 1: one does not; 2: a
tool or the recording is missing."""

import argparse
import shutil
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
REPLAY = ROOT / "sim-harness/cpp/replay_top.sv"
SIZES = ".RetireLanes(4),.EventSlots(8),.LatencyBits(31)"
# As sim-harness/build/verilator.rs has them.
USUAL = ["-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert"]
PROFILE = "PGO"

# Name: top module, arguments of Verilator, flags of the compiler.
WAYS = {
    "as in the harness (-O3)": ("replay_top", USUAL, ["-O3"]),
    "outputs as one vector": ("vector_top", USUAL, ["-O3"]),
    "without the probe": ("outputs_top", USUAL, ["-O3"]),
    "g++ -Os": ("replay_top", USUAL, ["-Os"]),
    "g++ -O2": ("replay_top", USUAL, ["-O2"]),
    "g++ -O3 -march=native": ("replay_top", USUAL, ["-O3", "-march=native"]),
    "g++ -O3, profile-guided": ("replay_top", USUAL, ["-O3", PROFILE]),
    "verilator -O0": ("replay_top", ["-O0", *USUAL[1:]], ["-O3"]),
    "verilator --x-assign 0": ("replay_top", ["-O3", "--x-assign", "0", "--x-initial", "0", "--noassert"], ["-O3"]),
    "verilator --x-assign unique": ("replay_top", ["-O3", "--x-assign", "unique", "--noassert"], ["-O3"]),
    "with assertions": ("replay_top", ["-O3", "--x-assign", "fast", "--x-initial", "fast", "--assert"], ["-O3"]),
    "verilator --threads 2": ("replay_top", [*USUAL, "--threads", "2"], ["-O3"]),
}


class Failed(Exception):
    """A step that did not work, with what it said."""


def run(command, **options):
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    except FileNotFoundError as error:
        raise Failed(f"{command[0]} is missing: tools/scripts/setup build installs it") from error
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command[:2]))} ...: exit code {done.returncode}\n{done.stderr.strip()[-2000:]}")
    return done.stdout


def compile_all(folder, flags, root):
    include = Path(root) / "include"
    sources = [HERE / "player.cpp", *sorted(folder.glob("Vrtl*.cpp")), include / "verilated.cpp", include / "verilated_threads.cpp"]
    fixed = ["-std=gnu++17", "-DNDEBUG", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0", "-DVL_TIME_CONTEXT"]
    includes = [f"-I{path}" for path in (include, include / "vltstd", folder)]
    run(["g++", *fixed, *flags, *includes, "-o", "player", *sources, "-lpthread"], cwd=folder)


def build(name, folder, rows):
    """Translates and compiles one way; returns its program."""
    top, arguments, flags = WAYS[name]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    defines = ["-DFLAT=lwp_flat", f"-DFLAT_PARAMETERS={SIZES}", "-DSTRAP_WORDS=3", "-DIN_WORDS=56", "-DOUT_WORDS=79"]
    fixed = ["verilator", "--cc", "--no-timing", "-Wno-lint", "--prefix", "Vrtl", "--Mdir", folder, "--top-module", top]
    flat = Path(run([ROOT / "tools/scripts/flat-image", "lwp_w4"]).strip())
    files = [flat / "lwp_flat.sv", flat / "lwp_flat_packed.sv"]
    run([*fixed, *arguments, *defines, "-f", "lwp/lwp.f", *files, REPLAY, HERE / "tops.sv"], cwd=ROOT / "rtl")
    root = run(["verilator", "--getenv", "VERILATOR_ROOT"]).strip()
    if PROFILE in flags:
        flags = [flag for flag in flags if flag != PROFILE]
        compile_all(folder, [*flags, "-fprofile-generate", "-fprofile-update=single"], root)
        run([folder / "player", rows, "1"], cwd=folder)
        if not list(folder.glob("*.gcda")):
            raise Failed(f"{name}: the compiler left no profile in {folder}")
        flags = [*flags, "-fprofile-use", "-Werror=missing-profile"]
    compile_all(folder, flags, root)
    return folder / "player"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path, help="a recording: cargo bench -p sim-harness --bench lockstep -- --trace FILE --record ROWS")
    parser.add_argument("--only", action="append", default=[], help="only ways with this in their names, beside the first")
    parser.add_argument("--rounds", type=int, default=9, help="rounds in which all take turns [%(default)s]")
    parser.add_argument("--jobs", type=int, default=2, help="builds at a time [%(default)s]")
    parser.add_argument("--out", type=Path, default=ROOT / "target/rtl-study", help="where builds are kept")
    args = parser.parse_args()
    if not args.rows.is_file():
        raise Failed(f"{args.rows}: no such recording")
    names = [name for place, name in enumerate(WAYS) if place == 0 or not args.only or any(only in name for only in args.only)]
    rows = args.rows.resolve()
    with ThreadPoolExecutor(args.jobs) as pool:
        players = list(pool.map(lambda name: told(name, args.out.resolve(), rows), names))
    speeds = {name: [] for name in names}
    for number in range(args.rounds):
        print(f"\rround {number + 1} of {args.rounds}", end="", file=sys.stderr, flush=True)
        for name, player in zip(names, players):
            speeds[name].append(float(run([player, rows, "2"])))
    print("", file=sys.stderr)
    table(speeds)


def told(name, out, rows):
    folder = out / "".join(c if c.isalnum() else "-" for c in name)
    player = build(name, folder, rows)
    print(f"built: {name}", file=sys.stderr, flush=True)
    return player


def table(speeds):
    first = statistics.median(next(iter(speeds.values())))
    print("| build | Mcycles/s | slowest | fastest | ratio |\n|---|---|---|---|---|")
    for name, values in speeds.items():
        median = statistics.median(values)
        print(f"| {name} | {median:.2f} | {min(values):.2f} | {max(values):.2f} | {median / first:.2f} |")


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        print(f"study: {failure}", file=sys.stderr)
        sys.exit(1 if "outputs differ" in str(failure) else 2)
