//! Rounds in which all contestants take turns, so that what else the machine does hits all of them.

use crate::contestant::Contestant;
use indicatif::{ProgressBar, ProgressStyle};

/// The speeds of one contestant, in million cycles a second, slowest first.
#[derive(Debug)]
pub(crate) struct Speeds(Vec<f64>);

impl Speeds {
    pub(crate) fn median(&self) -> f64 {
        self.0[self.0.len() / 2]
    }

    pub(crate) fn slowest(&self) -> f64 {
        self.0[0]
    }

    pub(crate) fn fastest(&self) -> f64 {
        self.0[self.0.len() - 1]
    }

    pub(crate) fn rounds(&self) -> usize {
        self.0.len()
    }
}

impl From<Vec<f64>> for Speeds {
    /// # Panics
    /// If there is none.
    fn from(mut speeds: Vec<f64>) -> Self {
        assert!(!speeds.is_empty(), "a speed");
        speeds.sort_by(f64::total_cmp);
        Speeds(speeds)
    }
}

/// Plays the rounds, after one that warms up caches and predictors.
pub(crate) fn play(contestants: &[Contestant<'_>], rounds: usize) -> Result<Vec<Speeds>, String> {
    let bar = ProgressBar::new(((rounds + 1) * contestants.len()) as u64);
    bar.set_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} runs, {eta} left: {msg}").expect("a legal template"),
    );
    let mut speeds = vec![Vec::new(); contestants.len()];
    for round in 0..=rounds {
        for (contestant, speeds) in contestants.iter().zip(&mut speeds) {
            bar.set_message(contestant.name);
            let speed = contestant.speed()?;
            if round > 0 {
                speeds.push(speed);
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(speeds.into_iter().map(Speeds::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_ends() {
        let speeds = Speeds::from(vec![3.0, 1.0, 2.0]);
        assert_eq!((speeds.slowest(), speeds.median(), speeds.fastest()), (1.0, 2.0, 3.0));
    }
}
