//! The variants with the debug unit: which breakpoints, which parts of the program.

use super::machine::Machine;
use crate::failure::Failure;
use crate::image::Program;
use crate::options::Options;
use crate::say::say;
use ibex::breakpoints::Setup;

/// What a breakpoint waits for: R/W.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    Writes = 1,
    Accesses = 3,
}

/// Who set a breakpoint: Ln and Gn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    Off = 0,
    Local = 1,
    Global = 2,
    Both = 3,
}

/// A breakpoint: an address from a symbol on, or with an empty name the address itself.
#[derive(Clone, Copy, Debug)]
struct Watch(&'static str, u32, u32, Waits, On);

/// Four breakpoints, and the number of #DB after which the next ones are set; 0: they stay.
#[derive(Clone, Copy, Debug)]
struct Setting {
    watches: [Watch; 4],
    taken: u32,
}

/// Memory that nothing accesses.
const NOWHERE: Watch = Watch("", 0x0017_F000, 8, Waits::Accesses, On::Both);
/// Settings that the kernel has room for: `SETTINGS` of program/debug/kernel.c.
const ROOM: usize = 8;
/// Words of a setting.
const WORDS: usize = 6;
/// Instructions of user mode that may retire between one that hits and the interrupt.
const WITHIN: u64 = 12;
/// Offset of the vector of fast interrupt 0.
const FAST: u32 = 4 * 16;

/// One variable of each part of the program after the other.
const USUAL: [Setting; 5] = [
    Setting {
        watches: [
            Watch("values", 2800, 4, Waits::Writes, On::Local),
            Watch("values", 2802, 2, Waits::Accesses, On::Global),
            Watch("values", 2792, 8, Waits::Accesses, On::Both),
            NOWHERE,
        ],
        taken: 120,
    },
    Setting {
        watches: [
            Watch("cursor", 0, 4, Waits::Writes, On::Global),
            Watch("source", 101, 1, Waits::Accesses, On::Local),
            Watch("source", 100, 4, Waits::Accesses, On::Off),
            Watch("source", 100, 2, Waits::Writes, On::Both),
        ],
        taken: 600,
    },
    Setting {
        watches: [
            Watch("right", 520, 4, Waits::Accesses, On::Local),
            Watch("product", 96, 8, Waits::Writes, On::Local),
            Watch("left", 40, 1, Waits::Accesses, On::Global),
            NOWHERE,
        ],
        taken: 40,
    },
    Setting {
        watches: [
            Watch("nodes", 2400, 4, Waits::Accesses, On::Local),
            Watch("nodes", 2404, 2, Waits::Writes, On::Global),
            Watch("nodes", 2407, 1, Waits::Accesses, On::Both),
            Watch("nodes", 2400, 8, Waits::Accesses, On::Local),
        ],
        taken: 6,
    },
    Setting {
        watches: [
            Watch("span", 6, 4, Waits::Writes, On::Local),
            Watch("span", 13, 1, Waits::Accesses, On::Global),
            Watch("span", 20, 8, Waits::Accesses, On::Both),
            Watch("span", 34, 2, Waits::Writes, On::Local),
        ],
        taken: 0,
    },
];

/// The accesses of `straddle`, most of which are not aligned, and hit one after the other.
const DENSE: [Setting; 1] = [Setting {
    watches: [
        Watch("span", 0, 8, Waits::Accesses, On::Local),
        Watch("span", 12, 4, Waits::Writes, On::Global),
        Watch("span", 18, 2, Waits::Accesses, On::Local),
        Watch("span", 27, 1, Waits::Accesses, On::Both),
    ],
    taken: 0,
}];

/// Two settings for a short run.
const SHORT: [Setting; 2] = [Setting { taken: 30, ..DENSE[0] }, USUAL[4]];

const ALL_PARTS: u32 = 0b11_1111;
const STRADDLE: u32 = 0b10_0000;
const TOUCH: u32 = 0b01_0000;
const SHORT_PARTS: u32 = 0b11_1110;

/// A run with the debug unit.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// Name.
    pub(crate) name: &'static str,
    /// What it shows.
    pub(crate) about: &'static str,
    /// The machine.
    pub(crate) machine: Machine,
    settings: &'static [Setting],
    /// TF of the program.
    tf: bool,
    /// The bus grants the core in one cycle of so many.
    pub(crate) every: u32,
    parts: u32,
    /// The queue is smaller than the skid.
    loses: bool,
}

impl Variant {
    /// The variant `debug`.
    pub(crate) const USUAL: Self = Self {
        name: "debug",
        about: "debug unit: breakpoints on variables of each part of the program",
        machine: Machine::USUAL,
        settings: &USUAL,
        tf: false,
        every: 1,
        parts: ALL_PARTS,
        loses: false,
    };

    /// Returns the run whose events are recorded for the tests of the checker.
    pub(crate) fn recorded() -> Self {
        Self { name: "debug-recorded", settings: &SHORT, parts: STRADDLE, ..Self::USUAL }
    }

    /// Returns the variant `debug` on another machine.
    pub(crate) fn on(machine: Machine) -> Self {
        Self { name: "debug-plant", machine, ..Self::USUAL }
    }
}

fn all() -> [Variant; 6] {
    let usual = Variant::USUAL;
    let dense = Variant { settings: &DENSE, parts: STRADDLE, ..usual.clone() };
    [
        usual.clone(),
        Variant {
            name: "debug-bus",
            about: "debug unit: the bus grants the core in one cycle of 16",
            every: 16,
            parts: SHORT_PARTS,
            settings: &USUAL[1..],
            ..usual.clone()
        },
        Variant {
            name: "debug-simple",
            about: "debug unit: a core with branch predictor and without write-back stage",
            machine: Machine { writeback: false, ..Machine::USUAL },
            ..usual
        },
        Variant {
            name: "debug-dense",
            about: "debug unit: most accesses hit, so that instructions of the skid hit too",
            ..dense.clone()
        },
        Variant {
            name: "debug-step",
            about: "debug unit: TF, and breakpoints as well",
            tf: true,
            parts: STRADDLE | TOUCH,
            ..dense.clone()
        },
        Variant {
            name: "debug-small",
            about: "debug unit: a queue of two instructions, shorter than the skid",
            machine: Machine { depth: 2, ..Machine::USUAL },
            loses: true,
            ..dense
        },
    ]
}

/// Returns whether a variant with the debug unit has this name.
pub(crate) fn is_name(name: &str) -> bool {
    all().iter().any(|variant| variant.name == name)
}

/// Returns the variants with the debug unit that the options ask for.
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

impl Setting {
    /// Returns DR0 to DR3, DR7 and the number of #DB, as the kernel has them.
    fn words(&self, program: &Program) -> Result<[u32; WORDS], Failure> {
        let mut words = [0, 0, 0, 0, 0, self.taken];
        for (n, Watch(symbol, offset, bytes, waits, on)) in self.watches.iter().enumerate() {
            let base = if symbol.is_empty() { 0 } else { program.address(symbol)? };
            let len = [1, 2, 8, 4].iter().position(|length| length == bytes).unwrap_or(0) as u32;
            words[n] = base + offset;
            words[4] |= (*on as u32) << (2 * n) | (*waits as u32 | len << 2) << (16 + 4 * n);
        }
        Ok(words)
    }
}

impl Variant {
    /// Returns the words of `debugging` in the kernel: TF, the number of settings, the settings.
    pub(crate) fn debugging(&self, program: &Program) -> Result<Vec<u32>, Failure> {
        let mut words = vec![u32::from(self.tf), self.settings.len() as u32];
        for setting in self.settings.iter().take(ROOM) {
            words.extend(setting.words(program)?);
        }
        Ok(words)
    }

    /// Returns the words of `parameters`: one round of the parts, without LWP.
    pub(crate) fn parameters(&self) -> [u32; 9] {
        [0, 0, 0, 0, 2, 1, self.parts, 1, 0]
    }

    /// Returns what the checker needs to know.
    pub(crate) fn setup(&self, program: &Program) -> Result<Setup, Failure> {
        Ok(Setup {
            handler: program.address("vectors")? + FAST,
            depth: self.machine.depth as usize,
            within: WITHIN,
            loses: self.loses,
        })
    }
}
