//! The table of units and builds: the only shared place that knows a unit by name.
//!
//! From it come the Verilator runs, the C++ registry and the Rust enum `BuildId`. Another build is one more
//! `Build` line, another unit one more `Unit`.

/// A hardware unit with a flat image: a module with the ports `clk_i`, `straps_i`, `in_i` and `out_o`.
pub(crate) struct Unit {
    pub name: &'static str,
    /// The module of the flat image; its file is `sim-harness/rtl/<flat>.sv`.
    pub flat: &'static str,
    /// The file list, relative to the RTL folder.
    pub file_list: &'static str,
    /// The module parameters that a build sets, in the order of `Build::values`.
    pub parameters: &'static [&'static str],
    /// 32-bit words of `straps_i`.
    pub strap_words: u32,
    /// 32-bit words of `out_o`.
    pub out_words: u32,
    pub builds: &'static [Build],
}

/// One choice of sizes.
pub(crate) struct Build {
    pub name: &'static str,
    pub values: &'static [u32],
    /// 32-bit words of `in_i`.
    pub in_words: u32,
    /// Only with the feature `all-sizes`.
    pub extra: bool,
}

pub(crate) const UNITS: &[Unit] = &[Unit {
    name: "lwp",
    flat: "lwp_flat",
    file_list: "lwp/lwp.f",
    parameters: &["RetireLanes", "EventSlots", "LatencyBits"],
    strap_words: 3,
    out_words: 79,
    builds: &[
        Build { name: "w4", values: &[4, 8, 31], in_words: 12 + 11 * 4, extra: false },
        Build { name: "w1", values: &[1, 3, 10], in_words: 12 + 11, extra: false },
        Build { name: "w8", values: &[8, 26, 16], in_words: 12 + 11 * 8, extra: true },
        Build { name: "w2", values: &[2, 13, 20], in_words: 12 + 11 * 2, extra: true },
    ],
}];

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
