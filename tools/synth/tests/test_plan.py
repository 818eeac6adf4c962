# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is measured is all of the RTL, in a frame that leaves no port out; results of other sources are not taken."""

import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from flow import harness, plan, report, run


class Plan(unittest.TestCase):
    def test_every_module_of_a_unit_is_measured(self):
        for unit in map(plan.unit, plan.units()):
            listed = (plan.ROOT / f"rtl/{unit.name}/{unit.name}.f").read_text(encoding="utf-8").split()
            names = {pathlib.Path(name).stem for name in listed}
            hardware = {name for name in names if not name.startswith(f"{unit.name}_assert")}
            packages = {name for name in names if name.endswith("_pkg")}
            self.assertEqual(set(unit.modules()), hardware - packages - {unit.name, *unit.wires})
            self.assertEqual({path.stem for path in unit.sources(unit.name)}, hardware)

    def test_the_default_straps_are_those_of_the_rtl(self):
        bits = plan.tied(plan.Job("lwp", "lwp", "ecp5", (4, 8), "default"))["cfg_i"]
        # present to data_source, one_per_instr, address_gate, tail_nth, lfsr_seed: counted from the left.
        self.assertTrue(bits.startswith("88'b11111111" "0" "1" "00"))
        self.assertEqual(sum(bit == "1" for bit in bits.split("'b")[1]), 12)
        # The first three, the rate, both choices; then 8 and three times 16 bits.
        bits = plan.tied(plan.Job("tsc", "tsc", "ecp5", (4,), "default"))["cfg_i"]
        self.assertEqual(bits, f"63'b1110000{30:08b}{83:016b}{1:016b}{3:016b}")
        for unit in map(plan.unit, plan.units()):
            package = (plan.ROOT / f"rtl/{unit.name}/{unit.name}_config_pkg.sv").read_text(encoding="utf-8")
            body = package.split("ConfigDefault = '{")[1].split("};")[0]
            for name, _ in unit.defaults:
                self.assertIn(f"{name}:", body)

    def test_names_choose_jobs(self):
        names = [job.name for job in plan.choose(["lwp/unit/ecp5/free/4x8", "module/ice40"], False)]
        self.assertIn("lwp/module/ice40/select", names)
        self.assertIn("tsc/module/ice40/rate", names)
        self.assertEqual([name for name in names if "/unit/" in name], ["lwp/unit/ecp5/free/4x8"])
        self.assertEqual({job.unit for job in plan.choose(["tsc"], False)}, {"tsc"})
        self.assertEqual({job.unit for job in plan.choose([], True, ["tsc"])}, {"tsc"})
        with self.assertRaises(plan.SynthError):
            plan.choose(["unit/ecp"], False)
        with self.assertRaises(plan.SynthError):
            plan.choose([], False, ["none"])

    def test_the_frame_registers_every_port(self):
        text = harness.verilog("dut", [("clk_i", "input", 1), ("rst_ni", "input", 1), ("cfg_i", "input", 88),
                                       ("a_i", "input", 1), ("b_i", "input", 8), ("c_o", "output", 1), ("d_o", "output", 4)])
        for line in ("always @(posedge strap_clk) in_cfg_i <= {in_cfg_i[86:0], serial_i};",
                     "always @(posedge clk) in_a_i <= serial_i;", "always @(posedge clk) in_b_i <= {in_b_i[6:0], in_a_i[0]};",
                     "fold_c_o <= 1'b0 ^ out_c_o;", "fold_d_o <= {fold_d_o[2:0], fold_c_o[0]} ^ out_d_o;",
                     "assign serial_o = fold_d_o[3];", ".clk_i(clk)", ".rst_ni(rst_n)"):
            self.assertIn(line, text)


class Kept(unittest.TestCase):
    """Runs nothing: the folder holds what a run would have left."""

    def test_a_result_of_other_sources_is_not_taken(self):
        job = plan.Job("lwp", "lwp_trap", "ecp5")
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(run, "WORK", pathlib.Path(folder)):
            kept = pathlib.Path(folder) / "work" / job.name
            kept.mkdir(parents=True)
            text = '{"key": "%s", "versions": "tools 1", "verdict": "routed"}'
            (kept / "result.json").write_text(text % run.key(job, "tools 1"), encoding="utf-8")
            self.assertEqual(len(run.recall([job])), 1)
            with mock.patch.object(run, "nextpnr", return_value=["nextpnr", "--router", "router2"]):
                self.assertEqual(run.recall([job]), [])
            (kept / "result.json").write_text(text % run.key(job, "tools 2"), encoding="utf-8")
            self.assertEqual(run.recall([job]), [])

    def test_growth_needs_the_period_of_one_lane(self):
        area = {"cells": 1, "luts": 1, "ffs": 1}
        results = [{"top": "lwp", "family": "ecp5", "variant": "free", "sizes": [lanes, 8], "verdict": "routed", "ns": ns,
                    "area": area} for lanes, ns in ((8, 30.0), (1, 20.0))]
        self.assertEqual(report.growth(plan.unit("lwp"), results), [(1, 20.0, 1.0), (8, 30.0, 1.5)])
        self.assertEqual(report.growth(plan.unit("lwp"), results[:1]), [])


if __name__ == "__main__":
    unittest.main()
