# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds the RTL with Verilator and runs the test under cocotb: run.py BUILD_FOLDER."""

import os
import subprocess
import sys
from pathlib import Path

from cocotb.runner import get_results, get_runner

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]


def main(build):
    files = (ROOT / "rtl/lwp/lwp.f").read_text().split()
    folder = subprocess.run([ROOT / "tools/scripts/flat-image", "lwp_w4"], check=True, capture_output=True, text=True).stdout.strip()
    flat = [Path(folder) / file for file in ("lwp_flat.sv", "lwp_flat_packed.sv")]
    sources = [ROOT / "rtl" / file for file in files] + flat + [HERE / "tb.sv"]
    # The runner calls make without a word about speed.
    os.environ.setdefault("MAKEFLAGS", "-j2 -- OPT_FAST=-O1")
    runner = get_runner("verilator")
    runner.build(
        verilog_sources=sources,
        hdl_toplevel="tb",
        build_dir=build,
        # Verilator's VPI hands out 64 words at most unless told otherwise, and a row has 79.
        build_args=["-CFLAGS", "-DVL_VALUE_STRING_MAX_WORDS=128"],
    )
    results = runner.test(hdl_toplevel="tb", test_module="test_lwp", build_dir=build, test_dir=build)
    tests, failed = get_results(results)
    return 0 if tests == 1 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
