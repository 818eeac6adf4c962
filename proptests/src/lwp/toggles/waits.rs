//! Loads that wait until the latencies that the unit measures have crossed every power of two.

use crate::coverage::toggles::Toggles;
use lwp_model::lwp::flat::{OUT_WORDS, Shown, in_words, pack_inputs, pack_straps};
use lwp_model::lwp::{Buffer, Config, Digest, Inputs, LatencySource, Lwp};
use sim_harness::rtl::{BuildId, Flavour, Rtl};

/// The number of bits of a latency that the quick tests wait for; it takes half a second.
pub const SHORT: u32 = 18;
/// The number of cycles before and after a power of two in which every row is compared.
const BESIDE: u64 = 40;
/// The largest number of cycles that run between two comparisons.
const BATCH: usize = 1 << 14;
const LAT: u32 = 31;

/// Model and RTL, run in parallel.
struct Pair {
    model: Lwp<4, 8, LAT>,
    rtl: Rtl,
    cycle: u64,
    before: Option<[u32; OUT_WORDS]>,
}

impl Pair {
    fn step(&mut self, inputs: &Inputs<4>, rst_n: bool, toggles: &mut Toggles) -> Result<(), String> {
        if !rst_n {
            self.model.reset();
        }
        let expected = Shown::new(self.model.clone()).row();
        let (mut row, mut shown) = ([0; in_words(4)], [0; OUT_WORDS]);
        pack_inputs(inputs, rst_n, &mut row);
        self.rtl.step(&row, &mut shown);
        if shown != expected {
            let word = (0..OUT_WORDS).find(|&word| shown[word] != expected[word]).unwrap_or_default();
            let (is, model) = (shown[word], expected[word]);
            return Err(format!("cycle {}: word {word} is {is:#x}, in the model {model:#x}", self.cycle));
        }
        if let Some(before) = self.before {
            toggles.add_outputs(&[before, shown].concat());
        }
        self.before = Some(shown);
        if rst_n {
            self.model.step(inputs);
        }
        self.cycle += 1;
        Ok(())
    }

    /// Runs idle cycles, of which only the last is compared, by the next step.
    fn wait(&mut self, cycles: u64) {
        let idle = vec![Inputs::default(); BATCH];
        let digests = vec![Digest::of(&idle[0]); BATCH];
        let mut row = [0; in_words(4)];
        pack_inputs(&idle[0], true, &mut row);
        let rows = row.repeat(BATCH);
        let mut left = cycles;
        while left > 0 {
            let some = left.min(BATCH as u64) as usize;
            self.model.run(&idle[..some], &digests[..some]);
            self.rtl.run(&rows[..some * in_words(4)]);
            left -= some as u64;
        }
        self.cycle += cycles;
        if cycles > 0 {
            self.before = None;
        }
    }
}

/// Takes all entries of the miss address buffer, and waits until a latency has bit `bits - 1`; with 31 bits, until the
/// latency no longer increases. Then it takes the entries again. Each row around a power of two is compared; the cycles
/// in between only run.
///
/// # Errors
///
/// Describes the cycle in which model and RTL differ.
pub fn waited(bits: u32, toggles: &mut Toggles) -> Result<(), String> {
    let straps = Config { latency_source: LatencySource::Buffer, ..Config::default() };
    let model = Lwp::new(straps).map_err(|error| error.to_string())?;
    let rtl = Rtl::new(BuildId::LwpW4, Flavour::Fast, &pack_straps(&straps));
    let mut pair = Pair { model, rtl, cycle: 0, before: None };
    let idle = Inputs::default();
    pair.step(&idle, false, toggles)?;
    pair.step(&idle, false, toggles)?;
    let take = |entry| {
        let buffer = Buffer { alloc_valid: true, alloc_entry: entry, ..Buffer::default() };
        Inputs { buffer, ..Inputs::default() }
    };
    for entry in 0..8 {
        pair.step(&take(entry), true, toggles)?;
    }
    let begin = pair.cycle;
    let last = if bits >= LAT { LAT } else { bits - 1 };
    for power in 6..=last {
        let at = begin + (1 << power);
        pair.wait((at - BESIDE).saturating_sub(pair.cycle));
        while pair.cycle < at + BESIDE {
            pair.step(&idle, true, toggles)?;
        }
    }
    for entry in 0..8 {
        pair.step(&take(entry), true, toggles)?;
    }
    pair.step(&idle, true, toggles)?;
    pair.step(&idle, true, toggles)
}
