//! Inputs for RTL of which only the port sizes are known, and its own outputs as what to expect.

use lwp_model::Unit;
use sim_harness::lockstep::Recording;
use sim_harness::rtl::{BuildId, Flavour, Rtl, strap_words};
use sim_harness::with_build;

/// Cycles of reset at the beginning of each recording.
pub(crate) const RESET: usize = 3;

/// A multiplicative generator; good enough for stirring registers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed | 1)
    }

    pub(crate) fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        (self.0 >> 32) as u32
    }
}

/// The straps' defaults, which are legal: the RTL asserts that it is never given others.
pub(crate) fn straps(build: BuildId) -> Vec<u32> {
    with_build!(any, build, |U| strap_words::<U>(&<U as Unit>::Config::default()))
}

pub(crate) fn fresh(build: BuildId, flavour: Flavour) -> Rtl {
    Rtl::new(build, flavour, &straps(build))
}

/// Random words after a few cycles of zeros. Bit 0 is the active-low reset in every unit's flat image.
pub(crate) fn inputs(build: BuildId, seed: u64, cycles: usize) -> Vec<u32> {
    let row = build.info().in_words;
    let mut random = Random::new(seed);
    let mut words: Vec<u32> = (0..row * cycles).map(|_| random.next()).collect();
    for (cycle, row) in words.chunks_mut(row).enumerate() {
        match cycle {
            ..RESET => row.fill(0),
            _ => row[0] |= 1,
        }
    }
    words
}

/// What the fast build does with these inputs, one step at a time.
pub(crate) fn recording(build: BuildId, inputs: &[u32]) -> Recording {
    let info = build.info();
    let mut rtl = fresh(build, Flavour::Fast);
    let mut recording = Recording::new(info.in_words, info.out_words);
    let mut out = vec![0; info.out_words];
    for row in inputs.chunks(info.in_words) {
        rtl.step(row, &mut out);
        recording.push(row, &out);
    }
    recording
}
