# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs in the environment that has pyosys: from the sources to a netlist of one family, and what it consists of.

usage: netlist.py JOB.json    (written by run.py; all paths in it are absolute)
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from flow import harness
from pyosys import libyosys as ys

SYNTH = {"ecp5": "synth_ecp5", "ice40": "synth_ice40"}


def ports(design, top):
    """Name, direction and width of each port of `top`."""
    wires = design.module(ys.IdString(f"\\{top}")).wires_
    found = []
    for wire in wires.values():
        if wire.port_id:
            direction = "output" if wire.port_output else "input"
            found.append((wire.port_id, wire.name.str().removeprefix("\\"), direction, wire.width))
    return [port[1:] for port in sorted(found)]


def main():
    job = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    work, top = pathlib.Path(job["work"]), job["top"]
    design = ys.Design()

    def run(command):
        print(f"yosys> {command}", flush=True)
        ys.run_pass(command, design)

    parameters = " ".join(f"-G {name}={value}" for name, value in job["parameters"].items())
    keep = "--keep-hierarchy" if job["kept"] else ""
    run(f"read_slang --threads 1 {keep} -D SYNTHESIS {parameters} --top {top} {' '.join(job['sources'])}")
    for port in job["open"]:
        run(f"delete -port {top}/w:{port}")
    for port, value in job["tied"].items():
        run(f"delete -port {top}/w:{port}")
        run(f"cd {top}")
        run(f"connect -set {port} {value}")
        run("cd ..")
    run(f"opt_clean {top}")
    # Apart until they are mapped, so that their cells can be told from those of the frame.
    run("setattr -mod -set keep_hierarchy 1 *")
    frame = work / "harness.v"
    frame.write_text(harness.verilog(top, ports(design, top)), encoding="utf-8")
    run(f"read_verilog {frame}")
    run(f"{SYNTH[job['family']]} -top harness -noflatten")
    run(f"tee -q -o {work / 'stat.json'} stat -json")
    run("setattr -mod -unset keep_hierarchy A:keep_hierarchy")
    run("flatten")
    run("opt_clean -purge")
    run(f"write_json {work / 'netlist.json'}")


if __name__ == "__main__":
    main()
