//! The table of units and builds: the only shared place that knows a unit by name.
//!
//! From it come the Verilator runs, the C++ registry, the Rust enum `BuildId`, the types of its models and the list of `crate::<unit>::UNIT`. Another build is one more
//! `Build` line, another unit one more `Unit`.

use crate::flat::Rows;
use lwp_model::debug::DebugUnit;
use lwp_model::itanium::Itanium;
use lwp_model::lwp::Lwp;
use lwp_model::perf::Perf;
use lwp_model::rdt::Rdt;
use lwp_model::trace::TraceUnit;
use lwp_model::tsc::Tsc;

/// A hardware unit. Its flat image, a module with the ports `clk_i`, `straps_i`, `in_i` and `out_o`, is made from the rows of each build.
pub(crate) struct Unit {
    pub name: &'static str,
    /// The type of the port `state_o`.
    pub state: &'static str,
    /// Input ports that are enumerations, without `_i`, with their types.
    pub enums: &'static [(&'static str, &'static str)],
    /// The model's type; its parameters are those of the module.
    pub model: &'static str,
    /// The file list, relative to the RTL folder.
    pub file_list: &'static str,
    /// The module parameters that a build sets, in the order of `Build::values`.
    pub parameters: &'static [&'static str],
    pub builds: &'static [Build],
}

/// One choice of sizes.
pub(crate) struct Build {
    pub name: &'static str,
    pub values: &'static [u32],
    pub rows: Rows,
    /// Only with the feature `all-sizes`.
    pub extra: bool,
}

pub(crate) const UNITS: &[Unit] = &[
    Unit {
        name: "lwp",
        state: "lwp_state_pkg::state_t",
        enums: &[("ctl_op", "lwp_pkg::ctl_op_e"), ("fill_source", "lwp_pkg::source_e")],
        model: "lwp_model::lwp::Lwp",
        file_list: "lwp/lwp.f",
        parameters: &["RetireLanes", "EventSlots", "LatencyBits"],
        builds: &[
            Build { name: "w4", values: &[4, 8, 31], rows: Rows::of::<Lwp<4, 8, 31>>(), extra: false },
            Build { name: "w1", values: &[1, 3, 10], rows: Rows::of::<Lwp<1, 3, 10>>(), extra: false },
            Build { name: "w8", values: &[8, 26, 16], rows: Rows::of::<Lwp<8, 26, 16>>(), extra: true },
            Build { name: "w2", values: &[2, 13, 20], rows: Rows::of::<Lwp<2, 13, 20>>(), extra: true },
        ],
    },
    Unit {
        name: "tsc",
        state: "tsc_pkg::state_t",
        enums: &[("op_mode", "retire_pkg::op_mode_e")],
        model: "lwp_model::tsc::Tsc",
        file_list: "tsc/tsc.f",
        parameters: &["LogicalProcessors"],
        builds: &[
            Build { name: "lp1", values: &[1], rows: Rows::of::<Tsc<1>>(), extra: false },
            Build { name: "lp2", values: &[2], rows: Rows::of::<Tsc<2>>(), extra: false },
            Build { name: "lp4", values: &[4], rows: Rows::of::<Tsc<4>>(), extra: false },
            Build { name: "lp8", values: &[8], rows: Rows::of::<Tsc<8>>(), extra: false },
        ],
    },
    Unit {
        name: "perf",
        state: "perf_pkg::state_t",
        enums: &[],
        model: "lwp_model::perf::Perf",
        file_list: "perf/perf.f",
        parameters: &["LogicalProcessors", "GeneralCounters", "FixedCounters", "RetireLanes"],
        builds: &[
            Build { name: "c2", values: &[1, 2, 0, 4], rows: Rows::of::<Perf<1, 2, 0, 4>>(), extra: false },
            Build { name: "c4", values: &[2, 4, 3, 2], rows: Rows::of::<Perf<2, 4, 3, 2>>(), extra: false },
            Build { name: "c8", values: &[4, 8, 3, 8], rows: Rows::of::<Perf<4, 8, 3, 8>>(), extra: true },
        ],
    },
    Unit {
        name: "debug",
        state: "debug_pkg::state_t",
        enums: &[],
        model: "lwp_model::debug::DebugUnit",
        file_list: "debug/debug.f",
        parameters: &["RetireLanes", "LaneAccesses"],
        builds: &[
            Build { name: "l1a1", values: &[1, 1], rows: Rows::of::<DebugUnit<1, 1>>(), extra: false },
            Build { name: "l4a2", values: &[4, 2], rows: Rows::of::<DebugUnit<4, 2>>(), extra: false },
        ],
    },
    Unit {
        name: "trace",
        state: "trace_pkg::state_t",
        enums: &[],
        model: "lwp_model::trace::TraceUnit",
        file_list: "trace/trace.f",
        parameters: &["RetireLanes", "StackEntries"],
        builds: &[
            Build { name: "l1s4", values: &[1, 4], rows: Rows::of::<TraceUnit<1, 4>>(), extra: false },
            Build { name: "l4s32", values: &[4, 32], rows: Rows::of::<TraceUnit<4, 32>>(), extra: false },
        ],
    },
    Unit {
        name: "rdt",
        state: "rdt_pkg::state_t",
        enums: &[],
        model: "lwp_model::rdt::Rdt",
        file_list: "rdt/rdt.f",
        parameters: &["LogicalProcessors", "L3Sets", "L3Ways", "L2Sets", "L2Ways", "Rmids", "Classes"],
        builds: &[
            Build {
                name: "s8w4",
                values: &[2, 8, 4, 4, 2, 4, 4],
                rows: Rows::of::<Rdt<2, 8, 4, 4, 2, 4, 4>>(),
                extra: false,
            },
            Build {
                name: "s64w16",
                values: &[4, 64, 16, 16, 8, 16, 8],
                rows: Rows::of::<Rdt<4, 64, 16, 16, 8, 16, 8>>(),
                extra: false,
            },
        ],
    },
    Unit {
        name: "itanium",
        state: "itanium_pkg::state_t",
        enums: &[],
        model: "lwp_model::itanium::Itanium",
        file_list: "itanium/itanium.f",
        parameters: &["Bundles", "TagEntries"],
        builds: &[
            Build { name: "b1e4", values: &[1, 4], rows: Rows::of::<Itanium<1, 4>>(), extra: false },
            Build { name: "b2e16", values: &[2, 16], rows: Rows::of::<Itanium<2, 16>>(), extra: false },
        ],
    },
];

/// Each build exists twice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// No trace code, no assertions, optimised for speed.
    Fast,
    /// Waves and assertions, optimised for build time.
    Traced,
}

impl Flavour {
    pub(crate) const ALL: [Flavour; 2] = [Flavour::Fast, Flavour::Traced];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Flavour::Fast => "fast",
            Flavour::Traced => "traced",
        }
    }
}

/// One Verilated model: a unit, a build and a flavour.
pub(crate) struct Model {
    pub unit: &'static Unit,
    pub build: &'static Build,
    pub flavour: Flavour,
}

impl Model {
    /// `lwp_w4_fast`: names the C++ symbols, the folders and the static library.
    pub(crate) fn name(&self) -> String {
        format!("{}_{}_{}", self.unit.name, self.build.name, self.flavour.name())
    }

    /// The Verilated class, different for each model so that all link into one program.
    pub(crate) fn class(&self) -> String {
        format!("V{}", self.name())
    }
}

/// The builds of a unit that are wanted.
pub(crate) fn builds(unit: &'static Unit) -> impl Iterator<Item = &'static Build> {
    let all_sizes = std::env::var_os("CARGO_FEATURE_ALL_SIZES").is_some();
    unit.builds.iter().filter(move |build| all_sizes || !build.extra)
}

/// Every model, builds in the order of `BuildId`, each fast then traced.
pub(crate) fn models() -> Vec<Model> {
    let builds = UNITS.iter().flat_map(|unit| builds(unit).map(move |build| (unit, build)));
    builds.flat_map(|(unit, build)| Flavour::ALL.map(|flavour| Model { unit, build, flavour })).collect()
}
