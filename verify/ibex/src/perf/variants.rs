//! The variants with the performance counters: which events, which parts of the program.

use super::machine::Machine;
use crate::failure::Failure;
use crate::image::Program;
use crate::options::Options;
use crate::say::say;
use ibex::counters::Setup;

/// Settings that the kernel has room for, and counters of a setting: those of program/perf/kernel.c.
const ROOM: usize = 8;
const GENERAL: usize = 4;
/// Instructions of user mode that may retire between an overflow and the interrupt.
const WITHIN: u64 = 12;
/// Offset of the vector of fast interrupt 0.
const FAST: u32 = 4 * 16;
/// One cycle of so many begins a period of the bus clock, and the remainder of its number.
const BUS: (u32, u32) = (4, 1);

const USR: u32 = 1 << 16;
const OS: u32 = 1 << 17;
const EDGE: u32 = 1 << 18;
const INT: u32 = 1 << 20;
const EN: u32 = 1 << 22;
const INV: u32 = 1 << 23;
const CMASK: u32 = 1 << 24;

const INSTRUCTIONS: u32 = 0xC0;
const BRANCHES: u32 = 0xC4;
const TAKEN: u32 = 0xC9;
const REFERENCES: u32 = 0x43;
const MISALIGNED: u32 = 0x05;
const INTERRUPTS: u32 = 0xC8;
const P6_CYCLES: u32 = 0x79;
const CYCLES: u32 = 0x3C;
const BUS_CYCLES: u32 = 0x13C;

/// What is counted until so many interrupts were taken; 0: to the end.
#[derive(Clone, Copy, Debug)]
struct Setting {
    /// Event selects.
    selects: [u32; GENERAL],
    /// Events after which a counter interrupts; 0: it counts from 0 and does not interrupt.
    periods: [u32; GENERAL],
    /// IA32_FIXED_CTR_CTRL, and the period of fixed counter 0.
    fixed: (u32, u32),
    samples: u32,
}

/// Two counters of P6.
const fn pair(select: [u32; 2], period: [u32; 2], samples: u32) -> Setting {
    let selects = [EN | select[0], select[1], 0, 0];
    Setting { selects, periods: [period[0], period[1], 0, 0], fixed: (0, 0), samples }
}

/// Each event of P6 that RVFI shows, in user mode, in the kernel and in both, with and without interrupt.
const P6: [Setting; 6] = [
    pair([INSTRUCTIONS | USR | INT, BRANCHES | USR | OS], [1009, 0], 25),
    pair([TAKEN | USR | INT, REFERENCES | USR | OS | INT], [211, 1499], 30),
    pair([BRANCHES | USR | INT, TAKEN | OS], [401, 0], 12),
    pair([INSTRUCTIONS | OS | INT, BRANCHES | USR | INT], [1501, 307], 20),
    pair([P6_CYCLES | USR | INT, INTERRUPTS | USR | OS], [5003, 0], 8),
    pair([REFERENCES | USR | INT, MISALIGNED | USR | OS], [701, 0], 0),
];

/// Version 2: general and fixed counters together, with CMASK, INV and E.
const VERSION_2: [Setting; 2] = [
    Setting {
        selects: [
            EN | INSTRUCTIONS | USR | INT,
            EN | BRANCHES | USR | OS,
            EN | BRANCHES | USR | INT,
            EN | CYCLES | USR | OS,
        ],
        periods: [1009, 0, 307, 0],
        fixed: (0x232, 0),
        samples: 250,
    },
    Setting {
        selects: [
            EN | INSTRUCTIONS | OS,
            EN | INSTRUCTIONS | USR | CMASK | EDGE,
            EN | INSTRUCTIONS | USR | CMASK | INV,
            EN | BUS_CYCLES | OS,
        ],
        periods: [0; GENERAL],
        fixed: (0x31A, 777),
        samples: 0,
    },
];

/// A short run, with overflows close to each other.
const SHORT: [Setting; 2] = [
    pair([REFERENCES | USR | INT, INSTRUCTIONS | USR | OS], [11, 0], 3),
    pair([INSTRUCTIONS | USR | INT, TAKEN | USR | OS], [23, 0], 0),
];

const ALL_PARTS: u32 = 0b11_1111;
const SHORT_PARTS: u32 = 0b11_1110;
const TOUCH: u32 = 0b01_0000;

/// A run with the performance counters.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// Name.
    pub(crate) name: &'static str,
    /// What it shows.
    pub(crate) about: &'static str,
    /// The machine.
    pub(crate) machine: Machine,
    settings: &'static [Setting],
    /// Version 2; else P6.
    architectural: bool,
    /// The bus grants the core in one cycle of so many.
    pub(crate) every: u32,
    parts: u32,
}

impl Variant {
    /// The variant `perf`.
    pub(crate) const USUAL: Self = Self {
        name: "perf",
        about: "performance counters of P6: instructions, branches, references; samples by interrupt",
        machine: Machine::USUAL,
        settings: &P6,
        architectural: false,
        every: 1,
        parts: ALL_PARTS,
    };

    /// Returns the variant `perf` on another machine.
    pub(crate) fn on(machine: Machine) -> Self {
        Self { name: "perf-plant", machine, ..Self::USUAL }
    }

    /// Returns the variant whose events are recorded for the tests of the checker.
    pub(crate) fn recorded() -> Self {
        Self { name: "perf-recorded", settings: &SHORT, parts: TOUCH, ..Self::USUAL }
    }
}

fn all() -> [Variant; 4] {
    let usual = Variant::USUAL;
    let version_2 = Variant { settings: &VERSION_2, architectural: true, ..usual.clone() };
    [
        usual.clone(),
        Variant {
            name: "perf-v2",
            about: "performance counters of version 2: four general and three fixed ones",
            ..version_2.clone()
        },
        Variant {
            name: "perf-bus",
            about: "performance counters: the bus grants the core in one cycle of 16",
            every: 16,
            parts: SHORT_PARTS,
            ..usual
        },
        Variant {
            name: "perf-simple",
            about: "performance counters: a core without write-back stage",
            machine: Machine { writeback: false, ..Machine::USUAL },
            ..version_2
        },
    ]
}

/// Returns whether a variant with the performance counters has this name.
pub(crate) fn is_name(name: &str) -> bool {
    all().iter().any(|variant| variant.name == name)
}

/// Returns the variants with the performance counters that the options ask for.
pub(crate) fn named(options: &Options) -> Vec<Variant> {
    let asked = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    all().into_iter().filter(|variant| asked(variant.name)).collect()
}

/// Prints the names of the variants.
pub(crate) fn print() {
    for variant in all() {
        say!("  {:12} {}", variant.name, variant.about);
    }
}

impl Variant {
    /// Returns the strap `personality`.
    pub(crate) fn personality(&self) -> u32 {
        if self.architectural { 2 } else { 0 }
    }

    /// Returns the words of `counting` in the kernel: the personality, the number of settings, the settings.
    pub(crate) fn counting(&self) -> Vec<u32> {
        let mut words = vec![u32::from(self.architectural), self.settings.len() as u32];
        for setting in self.settings.iter().take(ROOM) {
            words.extend(setting.selects);
            words.extend(setting.periods);
            words.extend([setting.fixed.0, setting.fixed.1, setting.samples]);
        }
        words
    }

    /// Returns the words of `parameters`: one round of the parts, without LWP.
    pub(crate) fn parameters(&self) -> [u32; 9] {
        [0, 0, 0, 0, 2, 1, self.parts, 1, 0]
    }

    /// Returns what the checker needs to know.
    pub(crate) fn setup(&self, program: &Program) -> Result<Setup, Failure> {
        Ok(Setup {
            architectural: self.architectural,
            handler: program.address("vectors")? + FAST,
            within: WITHIN,
            bus: BUS,
        })
    }
}
