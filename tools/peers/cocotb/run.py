# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds the RTL for cocotb, or runs the test of peer.py: run.py build|test FOLDER."""

import os
import subprocess
import sys
from pathlib import Path

from cocotb.runner import get_results, get_runner

ROOT = Path(__file__).resolve().parents[3]


def build(runner, folder):
    files = (ROOT / "rtl/lwp/lwp.f").read_text().split()
    sources = [ROOT / "rtl" / file for file in files]
    flat = subprocess.run([ROOT / "tools/scripts/flat-image", "lwp_w4"], check=True, capture_output=True, text=True).stdout.strip()
    sources += [Path(flat) / file for file in ("lwp_flat.sv", "lwp_flat_packed.sv")]
    sources += [ROOT / "sim-harness/c-abi/examples/python/tb.sv"]
    # The runner calls make without a word about speed; the levels are those of the harness.
    os.environ["MAKEFLAGS"] = "-j2 -- OPT_FAST=-O3 OPT_GLOBAL=-O2"
    runner.build(
        verilog_sources=sources,
        hdl_toplevel="tb",
        build_dir=folder,
        # Verilator's VPI hands out 64 words at most unless told otherwise, and a row has 79.
        build_args=["-O3", "--x-assign", "fast", "--x-initial", "fast", "-CFLAGS", "-DVL_VALUE_STRING_MAX_WORDS=128"],
    )


def test(runner, folder):
    results = runner.test(hdl_toplevel="tb", test_module="peer", build_dir=folder, test_dir=folder)
    tests, failed = get_results(results)
    return 0 if tests == 1 and failed == 0 else 1


if __name__ == "__main__":
    what, folder = sys.argv[1:]
    runner = get_runner("verilator")
    # The runner wants to have built before it tests; what is up to date stays.
    build(runner, folder)
    sys.exit(test(runner, folder) if what == "test" else 0)
