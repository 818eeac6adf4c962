//! Plays cases to mutants until each is dead or the cases are over.

use crate::mutant::{Kill, Mutant, Survived};
use crate::player::{Death, Player};
use rtl_mutants::family::Family;
use sim_harness::rtl::BuildId;
use std::path::{Path, PathBuf};
use std::thread;

/// The program of each build.
pub(crate) type Programs = Vec<(BuildId, PathBuf)>;

/// What a share has come to after a case.
#[derive(Debug)]
pub(crate) struct Progress<'a> {
    /// Which share, from 0 on.
    pub(crate) share: usize,
    /// Its mutants, dead ones too.
    pub(crate) mutants: &'a [Mutant],
    /// Who has died of this case.
    pub(crate) kills: &'a [(u32, Kill)],
    /// What those have survived that live.
    pub(crate) survived: &'a Survived,
}

/// Whom to tell, and who may end the campaign by an error.
pub(crate) type Tell<'a> = &'a (dyn Fn(&Progress<'_>) -> Result<(), String> + Sync);

/// Cases to play, to mutants that have survived the same ones before.
#[derive(Debug)]
pub(crate) struct Campaign<'a> {
    pub(crate) programs: &'a Programs,
    pub(crate) mutants: &'a [Mutant],
    /// What they have survived.
    pub(crate) from: Survived,
    pub(crate) families: &'a [Family],
    /// Cases of each family that they are to have survived in the end.
    pub(crate) end: u64,
    pub(crate) folder: &'a Path,
    pub(crate) jobs: usize,
}

/// A share of the mutants with the programs that play to it.
struct Share<'a> {
    mutants: &'a [Mutant],
    /// Each with the deaths that it has not been told.
    players: Vec<(BuildId, Player, Vec<u32>)>,
    dead: usize,
    survived: Survived,
}

impl Campaign<'_> {
    /// Plays; each thread has a share of the mutants, and draws every case by itself.
    pub(crate) fn play(&self, tell: Tell<'_>) -> Result<(), String> {
        let jobs = self.jobs.min(self.mutants.len());
        let deal = |job| self.mutants.iter().skip(job).step_by(jobs).cloned().collect::<Vec<_>>();
        let shares: Vec<Vec<Mutant>> = (0..jobs).map(deal).collect();
        thread::scope(|scope| {
            let start = |(job, share): (usize, &Vec<Mutant>)| {
                let share = share.clone();
                scope.spawn(move || self.share(job, &share, tell))
            };
            let threads: Vec<_> = shares.iter().enumerate().map(start).collect();
            // Every thread is waited for before the first error is told.
            let ends: Vec<_> = threads.into_iter().map(thread::ScopedJoinHandle::join).collect();
            ends.into_iter().try_for_each(|end| end.unwrap_or_else(|_| Err("a thread of the campaign panicked".into())))
        })
    }

    fn share(&self, job: usize, mutants: &[Mutant], tell: Tell<'_>) -> Result<(), String> {
        let start = |(build, program): &(BuildId, PathBuf)| {
            let list = self.folder.join(format!("share-{}-{job}", build.name()));
            Player::start(program, mutants, &list).map(|player| (*build, player, Vec::new()))
        };
        let players = self.programs.iter().map(start).collect::<Result<Vec<_>, String>>()?;
        let mut share = Share { mutants, players, dead: 0, survived: self.from.clone() };
        for number in self.from.least(self.families)..self.end {
            for family in self.families {
                if number < self.from.of(family.name) {
                    continue;
                }
                let kills = if share.dead < mutants.len() { share.play(family, number)? } else { Vec::new() };
                tell(&Progress { share: job, mutants, kills: &kills, survived: &share.survived })?;
            }
        }
        Ok(())
    }
}

impl Share<'_> {
    /// Plays a case to those who live; those who have died of it.
    fn play(&mut self, family: &Family, number: u64) -> Result<Vec<(u32, Kill)>, String> {
        let mut kills = Vec::new();
        let player = self.players.iter().position(|(build, ..)| *build == family.build);
        if let (Some(at), Some((cycles, case))) = (player, family.case(number)) {
            let (_, player, dead) = &mut self.players[at];
            let deaths = player.play(&std::mem::take(dead), &case)?;
            for (other, (_, _, dead)) in self.players.iter_mut().enumerate() {
                if other != at {
                    dead.extend(deaths.iter().map(|death| death.number));
                }
            }
            self.dead += deaths.len();
            kills = bury(family, number, deaths, self.survived.cycles)?;
            self.survived.cycles += cycles;
        }
        self.survived.cases.insert(family.name.to_owned(), number + 1);
        debug_assert!(self.dead <= self.mutants.len());
        Ok(kills)
    }
}

fn bury(family: &Family, number: u64, deaths: Vec<Death>, cycles: u64) -> Result<Vec<(u32, Kill)>, String> {
    let name = family.name;
    let bury = |Death { number: mutant, cycle, what }| match mutant {
        0 => Err(format!("the RTL without a mutant does not pass: case {number} of {name}, cycle {cycle}, {what}")),
        _ => Ok((mutant, Kill { killed_by: name.to_owned(), case: number, what, cycles: cycles + cycle + 1 })),
    };
    deaths.into_iter().map(bury).collect()
}
