//! Bugs that are planted in a copy of the RTL of the machine with the debug unit.

use super::machine::Machine;
use super::run::{self, Outcome};
use super::variants::Variant;
use crate::build::Places;
use crate::failure::Failure;
use crate::image::Program;
use crate::plants::{Finder, Found, Plant};

const ADAPTER: &str = "rtl/adapters/debug_retire_rvfi.sv";

/// The bugs.
pub(crate) static PLANTS: [Plant; 7] = [
    Plant {
        name: "debug-skid",
        file: ADAPTER,
        from: "assign fits    = (count_q != CountW'(Depth)) || shown;",
        to: "assign fits    = !db_valid_i;",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "debug-handler",
        file: ADAPTER,
        from: "&& !db_valid_i && !handler_q && !other_q",
        to: "&& !db_valid_i && !other_q",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "debug-size",
        file: "rtl/adapters/retire_rvfi_access.sv",
        from: "size: 7'(count)",
        to: "size: 7'(count >> 1)",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "debug-load",
        file: "rtl/adapters/retire_rvfi_access.sv",
        from: "read: load,",
        to: "read: mem_rmask_i != '0,",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "debug-length",
        file: "rtl/debug/debug_compare.sv",
        from: "assign base  = address_i[n] & ~64'(mask);",
        to: "assign base  = address_i[n];",
        finders: &[Finder::Lockstep, Finder::Checker],
    },
    Plant {
        name: "debug-status",
        file: "rtl/adapters/debug_db_mmio.sv",
        from: "if (look_q && settled_i) begin",
        to: "if (look_q) begin",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "debug-from",
        file: ADAPTER,
        from: "assign from_d    = shown ? oldest.next : from_q;",
        to: "assign from_d    = shown ? oldest.ip : from_q;",
        finders: &[Finder::Checker],
    },
];

/// Runs the program on a machine with the bug, in which only `finder` can find it.
pub(crate) fn plant(plant: &Plant, places: &Places, finder: Finder) -> Result<Found, Failure> {
    let copy = Some((plant.name.to_owned(), plant.copy(places, "rtl/debug")?));
    let machine = Machine { checks: finder != Finder::Checker, copy, ..Machine::USUAL };
    let variant = Variant::on(machine);
    let program = Program::compile_with(places, Some("debug"))?;
    let Outcome { totals, stopped, .. } = run::variant(&variant.machine.make(places)?, &program, &variant, |_| ())?;
    Ok(Found { differences: totals.differences, text: totals.texts.into_iter().next(), stopped })
}
