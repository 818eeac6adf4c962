//! Records as they lie in memory.
//!
//! Source: Lightweight Profiling Proposal (2007-07-20), "Events and Event Records"; docs/src/lwp/store.md for the order of words.

/// Words of a record.
pub const WORDS: usize = 8;
/// Bytes of a record.
pub const BYTES: u32 = 32;

/// The three events, numbered as in the proposal.
pub const EVENTS: [&str; 3] = ["instructions", "branches", "misses"];

/// The words of a record.
pub type Words = [u32; WORDS];

/// Returns the record of an instruction at `pc`.
#[must_use]
pub fn instruction(pc: u32) -> Words {
    [1, 0, pc, 0, 0, 0, 0, 0]
}

/// Returns the record of a branch whose prediction is not known.
#[must_use]
pub fn branch(pc: u32, taken: bool, target: u32) -> Words {
    [2 | u32::from(taken) << 31, 0, pc, 0, target, 0, 0, 0]
}

/// Returns the record of a load that missed, whose data came from memory.
#[must_use]
pub fn miss(pc: u32, address: u32, latency: u32) -> Words {
    const ADDRESS_VALID: u32 = 1 << 28;
    const SOURCE_MEMORY: u32 = 3 << 29;
    [3 | ADDRESS_VALID | SOURCE_MEMORY, latency, pc, 0, address, 0, 0, 0]
}

/// Returns a record as text.
#[must_use]
pub fn text(words: &Words) -> String {
    words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
}
