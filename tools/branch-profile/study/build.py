# SPDX-License-Identifier: MIT OR Apache-2.0
"""The program: SQLite from its crate, compiled by clang, with and without a profile; rewritten by BOLT, with and without one."""

import json
import pathlib
import subprocess

from .tools import LLVM, StudyError, run

HERE = pathlib.Path(__file__).resolve().parents[1]
CRATE = "libsqlite3-sys"
# At fixed addresses, so that records need no mapping of a run; with relocations, which BOLT moves functions by; with lines and
# discriminators for the sample profile.
FLAGS = ["-O2", "-fno-pie", "-no-pie", "-fuse-ld=lld", "-Wl,--emit-relocs", "-g", "-fdebug-info-for-profiling",
         "-funique-internal-linkage-names", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"]
# Blocks by how often they follow each other, functions by who calls whom, cold code away from hot code.
LAYOUT = ["-reorder-blocks=ext-tsp", "-reorder-functions=cdsort", "-split-functions", "-split-all-cold"]


def source():
    """The directory of sqlite3.c, which cargo fetches and checks."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", str(HERE / "Cargo.toml")]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise StudyError("cargo is missing: run tools/scripts/setup rust") from None
    if done.returncode:
        raise StudyError(f"cargo has no {CRATE}:\n{done.stderr}")
    packages = json.loads(done.stdout)["packages"]
    (manifest,) = [package["manifest_path"] for package in packages if package["name"] == CRATE]
    return pathlib.Path(manifest).parent / "sqlite3"


def compile_to(binary, sqlite, profile=None):
    extra = [f"-fprofile-sample-use={profile}"] if profile else []
    run([LLVM / "clang", *FLAGS, *extra, f"-I{sqlite}", HERE / "program/main.c", sqlite / "sqlite3.c", "-lm", "-o", binary])


def rewrite(binary, out, records=None):
    """Has BOLT write the program anew: laid out by the records, or as it was."""
    run([LLVM / "llvm-bolt", binary, "-o", out, *([f"-data={records}", *LAYOUT] if records else [])])
