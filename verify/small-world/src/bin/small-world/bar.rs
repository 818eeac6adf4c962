//! How far a world has come, on a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use small_world::run::Progress;

/// The bar of one world.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub(crate) fn new(world: &'static str) -> Self {
        let bar = ProgressBar::new(0);
        if let Ok(style) =
            ProgressStyle::with_template("{prefix:<10} {msg:<12} {wide_bar} {human_pos} of {human_len} {eta}")
        {
            bar.set_style(style);
        }
        bar.set_prefix(world);
        Self { bar }
    }

    /// Exploring, the end is only known when it has come: the bar shows how many of the states found are expanded.
    pub(crate) fn show(&self, progress: Progress) {
        let (what, at, of) = match progress {
            Progress::Exploring(states, expanded) => ("exploring", expanded as u64, states as u64),
            Progress::Walking(edges) => ("a walk over", 0, edges as u64),
            Progress::Playing(at, of) => ("lockstep", at, of),
        };
        self.bar.set_message(what);
        self.bar.set_length(of);
        self.bar.set_position(at);
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
