# SPDX-License-Identifier: MIT OR Apache-2.0
"""What tools report is read as it is, and what they never said before is an error.

Run by `make test`; alone: python3 -B -m unittest discover -s tools/synth/tests
"""

import copy
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from flow import parse
from flow.plan import SynthError

# As `stat -json` of Yosys 0.70 wrote it, cut to what is read.
STAT = {
    "modules": {
        "\\harness": {"num_cells": 90, "num_cells_by_type": {"TRELLIS_FF": 90, "\\lwp_reset": 1}},
        "\\lwp_lfsr$lwp_reset.u_lfsr": {"num_cells": 5, "num_cells_by_type": {"LUT4": 2, "PFUMX": 1, "TRELLIS_FF": 2}},
        "\\lwp_reset": {"num_cells": 7, "num_cells_by_type": {"CCU2C": 3, "LUT4": 4, "lwp_lfsr$lwp_reset.u_lfsr": 1}},
    }
}
CLK = "$glbnet$clk$TRELLIS_IO_IN"


def step(kind, delay, start, end, **more):
    """One step of a path as nextpnr 0.11 writes it."""
    (cell, port), (sink, to) = start, end
    return {"type": kind, "delay": delay, "from": {"cell": cell, "port": port}, "to": {"cell": sink, "port": to}, **more}


FF, LUT, END = "u_dut.a.counter_q_TRELLIS_FF_Q_5", "u_dut.a.counter_q_LUT4_A_1", "u_dut.b.rotate_q_TRELLIS_FF_Q"
REPORT = {
    "fmax": {CLK: {"achieved": 500.0, "constraint": 100}, "$glbnet$strap_clk$TRELLIS_IO_IN": {"achieved": 900.0, "constraint": 100}},
    "critical_paths": [
        {"from": "posedge $glbnet$strap_clk$TRELLIS_IO_IN", "to": f"posedge {CLK}", "path": [step("logic", 9, (FF, "Q"), (FF, "Q"))]},
        {"from": f"posedge {CLK}", "to": f"posedge {CLK}", "path": [
            step("clk-to-q", 0.5, (FF, "Q"), (FF, "Q")),
            step("routing", 0.75, (FF, "Q"), (LUT, "A"), net="u_dut.a.counter_q[3]", sources=["/x/rtl/lwp/lwp_event.sv:50.9-50.20"]),
            step("logic", 0.25, (LUT, "A"), (LUT, "F")),
            step("routing", 0.5, (LUT, "F"), (END, "DI"), net="u_dut.a.counter_q_LUT4_A_1_Z", sources=["/x/lwp/rtl/lwp/lwp_select.sv:7.1"]),
            step("setup", 0.0, (END, "DI"), (END, "DI")),
        ]},
    ],
}


class Reads(unittest.TestCase):
    """Each test writes one report and reads it."""

    def written(self, data):
        file = tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8")
        self.addCleanup(file.close)
        file.write(data if isinstance(data, str) else json.dumps(data))
        file.flush()
        return file.name

    def area(self, data, family="ecp5"):
        return parse.area(self.written(data), family, "lwp_reset")

    def refuses(self, read, data, words):
        with self.assertRaisesRegex(SynthError, words):
            read(data)

    def changed(self, data, change):
        data = copy.deepcopy(data)
        change(data)
        return data

    def test_area_counts_the_module_and_what_is_below_but_not_the_frame(self):
        area = self.area(STAT)
        self.assertEqual((area["cells"], area["luts"], area["ffs"]), (12, 12, 2))
        self.assertEqual(area["by_module"]["lwp_lfsr"]["luts"], 2)
        self.assertEqual(area["by_module"]["lwp_reset"]["kinds"], {"CCU2C": 3, "LUT4": 4})

    def test_area_refuses_what_it_does_not_know(self):
        reset = lambda data: data["modules"]["\\lwp_reset"]
        self.refuses(self.area, "Yosys", "not the JSON")
        self.refuses(self.area, {}, "no module lwp_reset")
        self.refuses(self.area, self.changed(STAT, lambda d: reset(d).pop("num_cells_by_type")), "no count of the cells")
        self.refuses(self.area, self.changed(STAT, lambda d: reset(d)["num_cells_by_type"].update(MULT18X18D=1)), "MULT18X18D")
        self.refuses(self.area, self.changed(STAT, lambda d: reset(d).update(num_cells=8)), "has 8 cells, but 7")
        self.refuses(lambda data: self.area(data, "ice40"), STAT, "does not know")
        self.refuses(self.area, {"modules": {"\\lwp_reset": {"num_cells": 0, "num_cells_by_type": {}}}}, "no cells at all")

    def timing(self, data, lines={}):
        return parse.timing(self.written(data), lines)

    def test_registers_have_the_lines_that_they_stand_in(self):
        line = {"src": "../rtl/lwp/lwp_ring.sv:7.3|/share/cells_map.v:1.1-1.2"}
        cells = {
            "u_dut.a": {"type": "TRELLIS_FF", "attributes": line, "connections": {"DI": [2], "Q": [3]}},
            "u_dut.b": {"type": "SB_DFFE", "attributes": line, "connections": {"D": [4], "Q": [5]}},
            "u_dut.c": {"type": "SB_LUT4", "attributes": {}, "connections": {"O": [4]}},
            "u_dut.d": {"type": "LUT4", "attributes": line, "connections": {"Z": [2]}},
            "in_lanes_i": {"type": "TRELLIS_FF", "attributes": {"src": "harness.v:13.3"}, "connections": {"DI": [6], "Q": [7]}},
        }
        found = parse.registers(self.written({"modules": {"VHI": {}, "harness": {"cells": cells}}}))
        self.assertEqual(found, dict.fromkeys(["u_dut.a", "u_dut.a_DFFLC", "u_dut.b", "u_dut.b_DFFLC", "u_dut.c_LC"], "lwp_ring:7"))
        self.refuses(lambda data: parse.registers(self.written(data)), {"modules": {}}, "no module harness")
        path = self.timing(REPORT, {END: "lwp_ring:7"})["path"]
        self.assertEqual((path["from"], path["to"]), ("a.counter_q", "lwp_ring:7"))

    def test_timing_is_that_of_the_clock_and_names_the_path(self):
        timing = self.timing(REPORT)
        self.assertEqual((timing["mhz"], timing["ns"]), (500.0, 2.0))
        path = timing["path"]
        self.assertEqual((path["from"], path["to"]), ("a.counter_q", "b.rotate_q"))
        self.assertEqual(path["modules"], ["lwp_event:50-50", "lwp_select:7-7"])
        self.assertEqual((path["levels"], path["logic_ns"], path["routing_ns"]), (1, 0.75, 1.25))

    def test_timing_refuses_what_it_does_not_know(self):
        self.refuses(self.timing, {}, "no frequency of the one clock")
        self.refuses(self.timing, self.changed(REPORT, lambda d: d["fmax"].update({"other$clk$x": d["fmax"][CLK]})), "no frequency")
        self.refuses(self.timing, self.changed(REPORT, lambda d: d["critical_paths"].pop()), "not one critical path")
        self.refuses(self.timing, self.changed(REPORT, lambda d: d["fmax"][CLK].update(achieved=250.0)), "2.00 ns, but")

    def test_the_estimate_is_the_last_word_of_abc_on_each_module(self):
        begin = "Extracted 9 AND gates and 1 wires from module `%s' to a netlist network with 2 inputs and 2 outputs.\n"
        said = "ABC: %s:  Del =  %s.00.  Ar =      27.0.  Edge =       54.  Cut =      324.  T =     0.00 sec\n"
        log = begin % "harness" + said % ("A", 9000)
        for copy, first, then in (("lwp_event$lwp.e[1]", 7000, 500), ("lwp_event$lwp.e[0]", 100, 600), ("lwp", 80, 70)):
            log += begin % copy + said % ("P", first) + said % ("A", then)
        self.assertEqual(parse.estimate(self.written(log)), {"lwp_event": 0.6, "lwp": 0.07})
        read = lambda text: parse.estimate(self.written(text))
        self.refuses(read, said % ("A", 1), "before Yosys names a module")
        self.refuses(read, begin % "lwp", "says nothing of a delay")

    def fits(self, text):
        return parse.fits(self.written(text))

    def test_the_device_is_large_enough_or_not(self):
        log = "Info: Device utilisation:\nInfo: \t         ICESTORM_LC:%s/   7680   116%%\n"
        self.assertEqual(self.fits(log % "   8939"), (False, 8939, 7680))
        self.assertEqual(self.fits(log % "   7680"), (True, 7680, 7680))
        self.assertEqual(self.fits("Info: \t          TRELLIS_COMB:   12080/  43848    27%\n")[0], True)
        self.refuses(self.fits, "ERROR: cannot read netlist.json", "did not say how much")


if __name__ == "__main__":
    unittest.main()
