//! Plays cases to mutants until each is dead or the cases are over.

use crate::case::{FAMILIES, Family};
use crate::mutant::{Kill, Mutant};
use crate::player::{Death, Player};
use crate::program::{Sizes, W1, W4};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;

/// The programs of both builds.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) w4: PathBuf,
    pub(crate) w1: Option<PathBuf>,
}

/// What is told on the way: deaths, and how many mutants times cases are done.
pub(crate) type Tell<'a> = &'a (dyn Fn(u64, usize) + Sync);

/// Cases to play, to which mutants.
#[derive(Debug)]
pub(crate) struct Campaign<'a> {
    pub(crate) programs: &'a Programs,
    pub(crate) mutants: &'a [Mutant],
    pub(crate) cases: Range<u64>,
    /// Cycles that these mutants have survived before.
    pub(crate) survived: u64,
    pub(crate) folder: &'a Path,
    pub(crate) jobs: usize,
}

/// Who was killed, by number; and cycles of all cases.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    pub(crate) kills: BTreeMap<u32, Kill>,
    pub(crate) cycles: u64,
}

impl Campaign<'_> {
    /// Plays; each thread has a share of the mutants, and draws every case by itself.
    pub(crate) fn play(&self, tell: Tell<'_>) -> Result<Outcomes, String> {
        let shares: Vec<Vec<Mutant>> = (0..self.jobs)
            .map(|job| self.mutants.iter().skip(job).step_by(self.jobs).cloned().collect::<Vec<_>>())
            .filter(|share| !share.is_empty())
            .collect();
        thread::scope(|scope| {
            let threads: Vec<_> = shares
                .iter()
                .enumerate()
                .map(|(job, share)| scope.spawn(move || self.share(job, share, tell)))
                .collect();
            let mut all = Outcomes::default();
            for thread in threads {
                let share = thread.join().unwrap_or_else(|_| Err("a thread of the campaign panicked".into()))?;
                all.kills.extend(share.kills);
                all.cycles = all.cycles.max(share.cycles);
            }
            Ok(all)
        })
    }

    fn share(&self, job: usize, share: &[Mutant], tell: Tell<'_>) -> Result<Outcomes, String> {
        let start = |sizes: Sizes, program: &Path| {
            let list = self.folder.join(format!("share-{}-{job}", sizes.name));
            Player::start(program, share, &list).map(|player| (sizes, player, Vec::new()))
        };
        let mut players = vec![start(W4, &self.programs.w4)?];
        if let Some(program) = &self.programs.w1 {
            players.push(start(W1, program)?);
        }
        let mut all = Outcomes { cycles: self.survived, ..Outcomes::default() };
        for (number, family) in self.cases.clone().flat_map(|number| FAMILIES.map(|family| (number, family))) {
            if all.kills.len() == share.len() {
                tell(1, 0);
                continue;
            }
            let Some(at) = players.iter().position(|(sizes, ..)| *sizes == family.sizes) else {
                tell(1, 0);
                continue;
            };
            let (cycles, case) = family.case(number);
            let (_, player, dead) = &mut players[at];
            let deaths = player.play(&std::mem::take(dead), &case)?;
            for (_, _, dead) in players.iter_mut().enumerate().filter(|(other, _)| *other != at).map(|(_, p)| p) {
                dead.extend(deaths.iter().map(|death| death.number));
            }
            tell(1, deaths.len());
            self.bury(&family, number, deaths, &mut all)?;
            all.cycles += cycles;
        }
        Ok(all)
    }

    fn bury(&self, family: &Family, number: u64, deaths: Vec<Death>, all: &mut Outcomes) -> Result<(), String> {
        for Death { number: mutant, cycle, what } in deaths {
            if mutant == 0 {
                return Err(format!(
                    "the RTL without a mutant does not pass: case {number} of {}, cycle {cycle}, {what}",
                    family.name
                ));
            }
            let cycles = all.cycles + cycle + 1;
            all.kills.insert(mutant, Kill { killed_by: family.name.to_owned(), case: number, what, cycles });
        }
        Ok(())
    }
}
