//! The smallest candidate so far, and what was spent to find it.

use super::super::file::Capsule;
use super::super::target::Target;
use super::super::unit::{Drive, Model, Played};
use super::candidate::{Candidate, Layout, Size};
use super::judge::{Judge, Player, Verdict};
use super::{ShrinkError, ShrinkOptions, Shrinking};
use capsule_file::Way;
use std::time::Instant;

/// Everything a pass needs.
pub(super) struct Search<'a> {
    player: Player<'a>,
    pub(super) layout: Layout,
    best: Candidate,
    size: Size,
    /// That of the capsule, before anything was done to it.
    found: Size,
    /// The model of the best candidate's straps, which has learnt its memory.
    model: Box<dyn Model>,
    /// How candidates are driven: the first that fails counts. The one that did last comes first.
    drives: Vec<Drive>,
    played: Played,
    options: ShrinkOptions,
    began: Instant,
    tries: u64,
    cycles: u64,
    over: bool,
    visit: &'a mut dyn FnMut(Shrinking) -> bool,
}

impl<'a> Search<'a> {
    /// Begins with the capsule, cut off after its failure.
    pub(super) fn new(
        target: &'a dyn Target,
        judge: Option<&'a dyn Judge>,
        capsule: &Capsule,
        options: &ShrinkOptions,
        visit: &'a mut dyn FnMut(Shrinking) -> bool,
    ) -> Result<Self, ShrinkError> {
        let (unit, header) = (capsule.unit()?, capsule.header());
        let (way, cycle) = (header.failure.way.clone(), header.failure.cycle);
        if cycle >= options.longest {
            return Err(ShrinkError::TooLong { cycle, longest: options.longest });
        }
        let layout = Layout {
            unit,
            words: header.in_words,
            fields: (unit.inputs)(target.build()),
            default_straps: (unit.default_straps)(),
        };
        let best = Candidate { straps: header.straps.clone(), rows: capsule.inputs_to(cycle), cycle };
        let mut search = Self {
            player: Player { target, judge, unit, way: way.clone() },
            size: layout.size(&best),
            found: layout.size(&best),
            layout,
            best,
            model: capsule.model()?,
            drives: vec![Drive::Raw],
            played: Played::default(),
            options: *options,
            began: Instant::now(),
            tries: 0,
            cycles: 0,
            over: false,
            visit,
        };
        if let Way::Property { name } = &way
            && search.knows(name).is_none()
        {
            return Err(ShrinkError::NoJudge { name: name.clone() });
        }
        search.begin().ok_or(ShrinkError::DoesNotFail { recorded: way })?;
        Ok(search)
    }

    /// What is said of the best one, if it violates a property: that of the whole capsule names another cycle.
    pub(super) fn reason(&self) -> Option<String> {
        self.player.reason(&self.best.straps, &self.best.rows)
    }

    fn knows(&self, name: &str) -> Option<()> {
        let verdict = self.player.judge?.judge(name, self.player.target.build(), &self.best.straps, &[], &[]);
        (verdict != Verdict::Unknown).then_some(())
    }

    /// Plays the capsule as it is, then with better manners.
    fn begin(&mut self) -> Option<()> {
        let (straps, rows) = (self.best.straps.clone(), std::mem::take(&mut self.best.rows));
        let cycle = self.play(&straps, &rows, Drive::Raw, usize::MAX)?;
        self.accept(straps, cycle);
        if self.options.any_inputs {
            return Some(());
        }
        self.model.learn(&self.best.rows);
        let (straps, rows) = (self.best.straps.clone(), self.best.rows.clone());
        let kept = self.played.broken.is_none_or(|(at, _)| at >= cycle);
        // A core that waits may need more cycles than one that does not.
        let limit = 2 * self.layout.cycles(&rows) + 1000;
        for drive in [Drive::Prompt, Drive::Polite] {
            let Some(cycle) = self.play(&straps, &rows, drive, limit) else { continue };
            let candidate = self.cut(straps.clone(), cycle);
            if !kept || self.layout.size(&candidate) < self.size {
                self.take(candidate);
            }
            self.drives = vec![drive, if drive == Drive::Prompt { Drive::Polite } else { Drive::Prompt }];
            return Some(());
        }
        if kept {
            self.drives = vec![Drive::Polite, Drive::Prompt];
        }
        Some(())
    }

    /// Where it fails in the way that is looked for.
    fn play(&mut self, straps: &[u32], rows: &[u32], drive: Drive, limit: usize) -> Option<u64> {
        if straps != self.best.straps {
            let mut model = (self.layout.unit.model)(self.player.target.build(), straps).ok()?;
            model.learn(&self.best.rows);
            let whole = model.drive(rows, drive, limit, &mut self.played);
            return self.judge(straps, whole);
        }
        let whole = self.model.drive(rows, drive, limit, &mut self.played);
        self.judge(straps, whole)
    }

    fn judge(&mut self, straps: &[u32], whole: bool) -> Option<u64> {
        self.tries += 1;
        self.cycles += self.layout.cycles(&self.played.inputs) as u64;
        whole.then(|| self.player.fails(straps, &self.played)).flatten()
    }

    /// Tries rows and straps; they become the best if they fail in the same way and are smaller. False as well if the budget is spent.
    pub(super) fn try_out(&mut self, straps: &[u32], rows: &[u32]) -> bool {
        let limit = self.layout.cycles(&self.best.rows);
        for place in 0..self.drives.len() {
            if self.is_over() {
                return false;
            }
            let drive = self.drives[place];
            let Some(cycle) = self.play(straps, rows, drive, limit) else { continue };
            let candidate = self.cut(straps.to_vec(), cycle);
            if self.layout.size(&candidate) < self.size {
                self.take(candidate);
                self.drives.swap(0, place);
                return true;
            }
        }
        false
    }

    fn is_over(&mut self) -> bool {
        let spent = self.tries >= self.options.tries
            || self.cycles >= self.options.cycles
            || self.options.time.is_some_and(|time| self.began.elapsed() >= time);
        let size = self.size();
        self.over = self.over || spent || !(self.visit)(size);
        self.over
    }

    /// What was played, up to the failure.
    fn cut(&self, straps: Vec<u32>, cycle: u64) -> Candidate {
        let end = (cycle as usize + 1) * self.layout.words;
        Candidate { straps, rows: self.played.inputs[..end].to_vec(), cycle }
    }

    fn accept(&mut self, straps: Vec<u32>, cycle: u64) {
        let candidate = self.cut(straps, cycle);
        self.take(candidate);
    }

    fn take(&mut self, candidate: Candidate) {
        self.size = self.layout.size(&candidate);
        if candidate.straps != self.best.straps
            && let Ok(model) = (self.layout.unit.model)(self.player.target.build(), &candidate.straps)
        {
            self.model = model;
        }
        self.best = candidate;
        self.model.learn(&self.best.rows);
    }

    /// Everything until nothing gets smaller, the coarse before the fine; false if the budget ended first.
    pub(super) fn run(&mut self) -> bool {
        let mut cycles = u64::MAX;
        // As long as a round saves an eighth of the cycles, single cycles can wait.
        while !self.over && self.size[0] < cycles - cycles / 8 {
            cycles = self.size[0];
            super::passes::coarse(self);
        }
        loop {
            let before = self.size;
            super::passes::fine(self);
            if self.over {
                return false;
            }
            if self.size == before {
                return true;
            }
        }
    }

    pub(super) fn best(&self) -> &Candidate {
        &self.best
    }

    pub(super) fn size(&self) -> Shrinking {
        Shrinking { tries: self.tries, cycles: self.size[0], fields: self.size[1] }
    }

    /// Cycles up to the failure, and inputs that are not idle, of the capsule as it was found.
    pub(super) fn before(&self) -> (u64, u64) {
        (self.found[0], self.found[1])
    }

    /// The budget is spent.
    pub(super) fn over(&self) -> bool {
        self.over
    }
}
