//! Bugs that are planted in a copy of the RTL of the machine with the performance counters.

use super::machine::Machine;
use super::run::{self, Outcome};
use super::variants::Variant;
use crate::build::Places;
use crate::failure::Failure;
use crate::image::Program;
use crate::plants::{Finder, Found, Plant};

const ADAPTER: &str = "rtl/adapters/perf_retire_rvfi.sv";

/// The bugs.
pub(crate) static PLANTS: [Plant; 8] = [
    Plant {
        name: "perf-mode",
        file: ADAPTER,
        from: "assign cpl_o = (reg_ready_o ? reg_user_i : user_q) ? 2'd3 : 2'd0;",
        to: "assign cpl_o = (reg_ready_o ? reg_user_i : user_d) ? 2'd3 : 2'd0;",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "perf-taken",
        file: ADAPTER,
        from: "branches && ((kind != BranchCond) || (rvfi_pc_wdata_i != sequential))",
        to: "branches",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "perf-split",
        file: ADAPTER,
        from: "(past_word > 5'(BusBytes)) ? 4'd2 : 4'd1",
        to: "4'd1",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "perf-page",
        file: "rtl/adapters/reg_mmio.sv",
        from: "assign reg_user_o = !kernel_q;",
        to: "assign reg_user_o = 1'b0;",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "perf-wdata",
        file: "rtl/adapters/reg_mmio.sv",
        from: "WdataHi: pages_d[p].wdata[63:32] = ctl_wdata_i;",
        to: "WdataHi: pages_d[p].wdata[63:32] = '0;",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "perf-vector",
        file: "rtl/adapters/perf_apic_mmio.sv",
        from: "{8'b0, lp_i.irq_vector, 5'b0,",
        to: "{8'b0, lp_i.lvt_vector, 5'b0,",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "perf-intr",
        file: "verify/ibex/rtl/perf_machine.sv",
        from: ".rvfi_intr_i      (rvfi_intr)",
        to: ".rvfi_intr_i      (1'b0)",
        finders: &[Finder::Assertion("user mode ends without rvfi_intr_i"), Finder::Checker],
    },
    Plant {
        name: "perf-overflow",
        file: "rtl/perf/perf_cell.sv",
        from: "assign over_o    = (sum & ~{1'b0, ones}) != '0;",
        to: "assign over_o    = sum == {1'b0, ones};",
        finders: &[Finder::Lockstep, Finder::Checker],
    },
];

/// Runs the program on a machine with the bug, in which only `finder` can find it.
pub(crate) fn plant(plant: &Plant, places: &Places, finder: Finder) -> Result<Found, Failure> {
    let copy = Some((plant.name.to_owned(), plant.copy(places, "rtl/perf")?));
    let machine = Machine { checks: finder != Finder::Checker, copy, ..Machine::USUAL };
    let variant = Variant::on(machine);
    let program = Program::compile_with(places, Some("perf"))?;
    let Outcome { totals, stopped, .. } = run::variant(&variant.machine.make(places)?, &program, &variant, |_| ())?;
    Ok(Found { differences: totals.differences, text: totals.texts.into_iter().next(), stopped })
}
