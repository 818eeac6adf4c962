//! Waves of the RTL under a capsule: every signal of every module, not only the registers that are compared.

use super::error::CapsuleError;
use super::file::Capsule;
use crate::lockstep::{BATCH_CYCLES, Batch, Flow, Producer, Window};
use crate::rtl::{Flavour, Rtl};
use std::io;
use std::path::Path;

/// Content of a wave file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapsuleWaves {
    /// First cycle in the file; time / 10 is the number of the cycle.
    pub first_cycle: u64,
    /// Number of cycles in the file.
    pub cycles: u64,
    /// First cycle in which RTL and model differ or an assertion fails, up to the end of the file.
    pub fails: Option<u64>,
}

/// Reason why there is no wave file.
#[derive(Debug, thiserror::Error)]
pub enum CapsuleWavesError {
    /// The capsule cannot be used.
    #[error(transparent)]
    Capsule(#[from] CapsuleError),
    /// The wave file cannot be written.
    #[error("{0}")]
    File(#[from] io::Error),
}

/// Runs the capsule on the traced RTL, and writes the waves around the cycle of its recorded failure to `path`. The inputs after the
/// capsule's last cycle are idle. Assertions that fail do not end the run.
///
/// # Errors
/// If this program cannot use the capsule, or the file cannot be written.
pub fn waves(capsule: &Capsule, window: Window, path: &Path) -> Result<CapsuleWaves, CapsuleWavesError> {
    let build = capsule.build()?;
    let mut rtl = Rtl::new(build, Flavour::Traced, &capsule.header().straps);
    rtl.mute();
    let at = capsule.header().failure.cycle;
    let (first, last) = (at.saturating_sub(window.before), at.saturating_add(window.after));
    let info = build.info();
    let mut batch = Batch::new(info.in_words, info.out_words, BATCH_CYCLES);
    let (mut producer, mut flow) = (capsule.player()?, Flow::More);
    let mut player = Player { rtl, cycle: 0, fails: None };
    let mut opened = false;
    while player.cycle <= last {
        batch.clear();
        match flow {
            Flow::More => flow = producer.fill(&mut batch),
            Flow::End => producer.idle(&mut batch, BATCH_CYCLES as u64),
        }
        let base = player.cycle;
        let place = |cycle: u64| usize::try_from(cycle.saturating_sub(base)).unwrap_or(usize::MAX).min(batch.cycles());
        let (open_at, end) = (place(first), place(last + 1));
        player.play(&batch, 0, open_at);
        if !opened && open_at < batch.cycles() {
            opened = true;
            player.rtl.open_waves(path)?;
        }
        player.play(&batch, open_at, end);
    }
    player.rtl.close_waves();
    Ok(CapsuleWaves { first_cycle: first, cycles: player.cycle - first, fails: player.fails })
}

struct Player {
    rtl: Rtl,
    cycle: u64,
    fails: Option<u64>,
}

impl Player {
    /// Plays the cycles `from..end` of a batch, and goes on after the first failure.
    fn play(&mut self, batch: &Batch, mut from: usize, end: usize) {
        while from < end && self.fails.is_none() {
            let result = self.rtl.replay(batch.inputs_of(from, end), batch.expected_of(from, end));
            let played = result.as_ref().map_or_else(|stop| stop.cycle_in_batch + 1, |()| end - from);
            self.cycle += played as u64;
            from += played;
            self.fails = result.is_err().then(|| self.cycle - 1);
        }
        if from < end {
            self.rtl.run(batch.inputs_of(from, end));
            self.cycle += (end - from) as u64;
        }
    }
}
