//! One file for each reader.

pub mod c_abi;
pub mod capsule;
pub mod capsule_rows;
pub mod capture;
pub mod champsim;
pub mod complaint;
pub mod elf;
pub mod plugin_records;
pub mod reading;
pub mod records;
pub mod retire_log;
pub mod ring;
pub mod session;
pub mod session_run;
pub mod trace;

use crate::limits::Memory;

/// What can be fuzzed.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: that of its file in `verify/fuzz/fuzz_targets`, of its folder in `verify/fuzz/corpus`, of its module here.
    pub name: &'static str,
    /// Takes one input; panics if a promise is broken.
    pub one_input: fn(&[u8]),
    /// Memory that an input may take.
    pub memory: Memory,
}

const MIB: usize = 1 << 20;

/// Readers of plain bytes: buffers of 256 KiB each in front of and behind a decompressor, and what a text costs as values.
const TEXT: Memory = Memory { fixed: 2 * MIB, each: 512 };
/// A capture is read a payload at a time, and one may have 8 MiB when it is decompressed.
const CAPTURE: Memory = Memory { fixed: 10 * MIB, each: 512 };

/// Every target.
pub const TARGETS: [Target; 13] = [
    Target { name: "trace", one_input: trace::one_input, memory: CAPTURE },
    Target { name: "capture", one_input: capture::one_input, memory: CAPTURE },
    Target { name: "champsim", one_input: champsim::one_input, memory: TEXT },
    Target { name: "retire_log", one_input: retire_log::one_input, memory: TEXT },
    Target { name: "session", one_input: session::one_input, memory: TEXT },
    Target { name: "session_run", one_input: session_run::one_input, memory: Memory { fixed: 4 * MIB, each: 512 } },
    Target { name: "capsule", one_input: capsule::one_input, memory: TEXT },
    Target { name: "capsule_rows", one_input: capsule_rows::one_input, memory: TEXT },
    Target { name: "records", one_input: records::one_input, memory: Memory { fixed: 4096, each: 8 } },
    Target { name: "ring", one_input: ring::one_input, memory: Memory { fixed: 1 << 16, each: 8 } },
    Target { name: "elf", one_input: elf::one_input, memory: TEXT },
    Target {
        name: "plugin_records",
        one_input: plugin_records::one_input,
        memory: Memory { fixed: 10 * MIB, each: 1024 },
    },
    Target { name: "c_abi", one_input: c_abi::one_input, memory: Memory { fixed: 1 << 16, each: 8 } },
];

/// The target of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
