//! One state in which the unit may be: IA32_DEBUGCTL, the freeze and the LBR stack.

use super::event::{Cause, Event};
use super::ports::Straps;
use super::stack::{Clocks, Stack};

/// IA32_DEBUGCTL.LBR.
pub(super) const LBR: u64 = 1;
/// IA32_DEBUGCTL.BTF.
pub(super) const BTF: u64 = 1 << 1;
/// IA32_DEBUGCTL.TR.
pub(super) const TR: u64 = 1 << 6;
/// IA32_DEBUGCTL.BTS.
pub(super) const BTS: u64 = 1 << 7;
/// IA32_DEBUGCTL.BTINT.
pub(super) const BTINT: u64 = 1 << 8;
/// IA32_DEBUGCTL.BTS_OFF_OS.
pub(super) const OFF_OS: u64 = 1 << 9;
/// IA32_DEBUGCTL.BTS_OFF_USR.
pub(super) const OFF_USR: u64 = 1 << 10;
/// IA32_DEBUGCTL.FREEZE_LBRS_ON_PMI.
pub(super) const FREEZE_LBRS: u64 = 1 << 11;
/// IA32_DEBUGCTL.FREEZE_WHILE_SMM.
pub(super) const FREEZE_SMM: u64 = 1 << 14;

/// The way in which the stack freezes, and what ends the freeze.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Freeze {
    /// The LBR flag is cleared. A write that sets it ends the freeze.
    ClearsLbr,
    /// Any write of IA32_DEBUGCTL ends the freeze.
    UntilWrite,
    /// A write with FREEZE_LBRS_ON_PMI = 0 does.
    UntilFlagOff,
    /// A write with LBR = 0 does.
    UntilLbrOff,
    /// A write with LBR = 1 does.
    UntilLbrOn,
}

/// When the delivery of RSM is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Rsm {
    Never,
    ByOld,
    ByNew,
}

/// What a unit does the same way each time. `None`: not seen yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Choices {
    freeze: Option<Freeze>,
    /// `ds_pmi` freezes by itself, without `pmi`.
    own: Option<bool>,
    /// A freeze that clears the LBR flag clears that of the copy, too, so that it lasts behind RSM.
    copy: Option<bool>,
    /// An SMI that clears IA32_DEBUGCTL is recorded.
    smi_clears: Option<bool>,
    /// Another SMI is recorded.
    smi: Option<bool>,
    rsm: Option<Rsm>,
    /// With LBR = 0, TR = 1 and the strap `lbr_tr`: a #DB updates the stack.
    debug_by_tr: Option<bool>,
    /// The same for what BTS_OFF_OS or BTS_OFF_USR skips.
    skipped_by_tr: Option<bool>,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct World {
    /// IA32_DEBUGCTL.
    pub(super) ctl: u64,
    /// The copy that the last SMI saved, and whether RSM has not restored it yet.
    saved: Option<(u64, bool)>,
    /// The stack is frozen.
    pub(super) frozen: bool,
    choices: Choices,
    /// The stack.
    pub(super) stack: Stack,
    /// Values that the pending RDMSR reads: IA32_DEBUGCTL when it was accepted.
    pub(super) asked: u64,
}

/// Returns copies of `world`, one for each value that `slot` may have.
fn choose<T: Copy>(world: &World, slot: fn(&mut Choices) -> &mut Option<T>, values: &[T]) -> Vec<(World, T)> {
    let mut world = world.clone();
    if let Some(value) = *slot(&mut world.choices) {
        return vec![(world, value)];
    }
    let made = values.iter().map(|&value| {
        let mut world = world.clone();
        *slot(&mut world.choices) = Some(value);
        (world, value)
    });
    made.collect()
}

impl World {
    /// Returns the state after reset.
    pub(super) fn new(depth: usize) -> Self {
        Self { ctl: 0, saved: None, frozen: false, choices: Choices::default(), stack: Stack::new(depth), asked: 0 }
    }

    /// Returns the state after another reset. What the unit does the same way each time remains.
    pub(super) fn reset(&self, depth: usize) -> Self {
        Self { choices: self.choices, ..Self::new(depth) }
    }

    /// Returns this state with another stack.
    pub(super) fn with(&self, stack: Stack) -> Self {
        let Self { ctl, saved, frozen, choices, asked, .. } = *self;
        Self { ctl, saved, frozen, choices, asked, stack }
    }

    /// Whether an event with this IA32_DEBUGCTL must be traced. Rows: DCTL-06, DCTL-09, DCTL-10, BTS-38.
    pub(super) fn covers(ctl: u64, event: &Event, straps: &Straps) -> bool {
        let skipped = if event.level == 0 { OFF_OS } else { OFF_USR };
        ctl & TR != 0 && ctl & skipped == 0 && (event.cause != Cause::Debug || straps.db_message)
    }

    /// Returns the two values of IA32_DEBUGCTL that may apply to an event.
    pub(super) fn controls(&self, event: &Event) -> [u64; 2] {
        match (event.cause, self.saved) {
            (Cause::Rsm, Some((saved, _))) => [self.ctl, saved],
            _ => [self.ctl; 2],
        }
    }

    /// Returns the states behind an event.
    pub(super) fn event(&self, event: &Event, straps: &Straps, now: Clocks) -> Vec<Self> {
        match event.cause {
            Cause::Smi => self.smi(event, straps, now),
            Cause::Rsm => self.rsm(event, straps, now),
            Cause::Debug => {
                let mut worlds = self.record(event, straps, now);
                // DCTL-16, DCTL-17, DCTL-19.
                worlds.iter_mut().for_each(|world| world.ctl &= !(LBR | BTF));
                worlds
            }
            _ if event.certain => self.record(event, straps, now),
            _ => [vec![self.clone()], self.record(event, straps, now)].concat(),
        }
    }

    /// Records an event as IA32_DEBUGCTL requires. Rows: DCTL-04, DCTL-11, LBR-01, LBR-03, LBR-05.
    fn record(&self, event: &Event, straps: &Straps, now: Clocks) -> Vec<Self> {
        let by_tr = straps.lbr_tr && self.ctl & (LBR | TR) == TR;
        if self.frozen || self.ctl & LBR == 0 && !by_tr || event.cause == Cause::Debug && !by_tr {
            return vec![self.clone()];
        }
        let skipped = if event.level == 0 { OFF_OS } else { OFF_USR };
        let mut worlds = vec![(self.clone(), true)];
        if by_tr && event.cause == Cause::Debug {
            worlds = choose(self, |choices| &mut choices.debug_by_tr, &[true, false]);
        }
        if by_tr && self.ctl & skipped != 0 {
            let both = |(world, yes): &(Self, bool)| {
                let yes = *yes;
                choose(world, |choices| &mut choices.skipped_by_tr, &[true, false])
                    .into_iter()
                    .map(move |(world, also)| (world, yes && also))
            };
            worlds = worlds.iter().flat_map(both).collect();
        }
        let pushed = worlds.into_iter().map(|(mut world, yes)| {
            if yes {
                world.stack.push(event.entry(straps), now);
            }
            world
        });
        pushed.collect()
    }

    /// SMI. Row: DCTL-13.
    fn smi(&self, event: &Event, straps: &Straps, now: Clocks) -> Vec<Self> {
        let clears = self.ctl & FREEZE_SMM != 0;
        let made = if clears {
            choose(self, |choices| &mut choices.smi_clears, &[true, false])
        } else {
            choose(self, |choices| &mut choices.smi, &[true, false])
        };
        let mut worlds = Vec::new();
        for (world, recorded) in made {
            let after = if recorded { world.record(event, straps, now) } else { vec![world] };
            for mut world in after {
                if clears {
                    // An SMI in SMM is none that the document knows: the copy is replaced, or stays.
                    if matches!(world.saved, Some((_, true))) {
                        worlds.push(Self { ctl: world.ctl & !(LBR | BTF | TR | BTS), ..world.clone() });
                    }
                    world.saved = Some((world.ctl, true));
                    world.ctl &= !(LBR | BTF | TR | BTS);
                }
                worlds.push(world);
            }
        }
        worlds
    }

    /// RSM. Row: DCTL-14.
    fn rsm(&self, event: &Event, straps: &Straps, now: Clocks) -> Vec<Self> {
        let mut worlds = Vec::new();
        for (world, when) in choose(self, |choices| &mut choices.rsm, &[Rsm::Never, Rsm::ByOld, Rsm::ByNew]) {
            let before = if when == Rsm::ByOld { world.record(event, straps, now) } else { vec![world] };
            for world in before.iter().flat_map(Self::restored) {
                worlds.extend(if when == Rsm::ByNew { world.record(event, straps, now) } else { vec![world] });
            }
        }
        worlds
    }

    /// Whether RSM restores a copy.
    pub(super) fn restores(&self) -> bool {
        matches!(self.saved, Some((_, true)))
    }

    /// Returns the states that RSM may leave.
    fn restored(&self) -> Vec<Self> {
        // Without an SMI that saved a copy, RSM restores nothing, or an old copy. After a reset that is 0.
        let (copy, due) = self.saved.unwrap_or((0, false));
        let flag = self.ctl & FREEZE_SMM != 0;
        let mut worlds = Vec::new();
        let saved = self.saved.map(|(copy, _)| (copy, false));
        let restored = Self { ctl: copy, saved, ..self.clone() };
        if due || flag {
            worlds.push(restored.clone());
            // The document does not say whether a freeze outlasts the copy's LBR flag.
            if self.frozen {
                worlds.push(Self { frozen: false, ..restored });
            }
        }
        if !(due && flag) {
            worlds.push(Self { saved, ..self.clone() });
        }
        worlds
    }

    /// Returns the states behind a performance interrupt; it freezes only with FREEZE_LBRS_ON_PMI in `allowed`.
    /// Rows: DCTL-11, DCTL-22 to DCTL-24.
    pub(super) fn freeze(&self, allowed: u64) -> Vec<Self> {
        if allowed & FREEZE_LBRS == 0 {
            return vec![self.clone()];
        }
        let kinds =
            [Freeze::ClearsLbr, Freeze::UntilWrite, Freeze::UntilFlagOff, Freeze::UntilLbrOff, Freeze::UntilLbrOn];
        let mut worlds = Vec::new();
        for (mut world, kind) in choose(self, |choices| &mut choices.freeze, &kinds) {
            if world.ctl & LBR == 0 {
                // A stack that LBR does not update may freeze or not.
                worlds.push(world.clone());
            }
            world.frozen = true;
            if kind == Freeze::ClearsLbr {
                world.ctl &= !LBR;
                worlds.extend(world.freeze_copy());
            } else {
                worlds.push(world);
            }
        }
        worlds
    }

    /// Returns the states of the copy behind a freeze that clears the LBR flag.
    fn freeze_copy(self) -> Vec<Self> {
        let Some((saved, true)) = self.saved.filter(|(saved, _)| saved & LBR != 0) else { return vec![self] };
        let made = choose(&self, |choices| &mut choices.copy, &[true, false]);
        let copied = made.into_iter().map(|(mut world, clears)| {
            if clears {
                world.saved = Some((saved & !LBR, true));
            }
            world
        });
        copied.collect()
    }

    /// Returns the states behind `ds_pmi`: it freezes by itself, as `allowed` permits, or waits for `pmi`.
    pub(super) fn own_freeze(&self, allowed: u64) -> Vec<Self> {
        if allowed & FREEZE_LBRS == 0 {
            return vec![self.clone()];
        }
        let made = choose(self, |choices| &mut choices.own, &[true, false]);
        made.into_iter().flat_map(|(world, own)| if own { world.freeze(allowed) } else { vec![world] }).collect()
    }

    /// Returns the states behind a write of IA32_DEBUGCTL. `pmi`, `ds_pmi`: the performance interrupts of the same cycle.
    pub(super) fn write(&self, value: u64, pmi: bool, ds_pmi: bool) -> Vec<Self> {
        let old = self.ctl;
        let mut world = Self { ctl: value, ..self.clone() };
        let mut worlds = Vec::new();
        if world.frozen {
            match world.choices.freeze {
                Some(Freeze::UntilWrite) | None => world.frozen = false,
                Some(Freeze::UntilFlagOff) => world.frozen = value & FREEZE_LBRS != 0,
                Some(Freeze::UntilLbrOff) => world.frozen = value & LBR != 0,
                Some(Freeze::UntilLbrOn) => world.frozen = value & LBR == 0,
                Some(Freeze::ClearsLbr) if value & LBR != 0 => world.frozen = false,
                Some(Freeze::ClearsLbr) => worlds.push(Self { frozen: false, ..world.clone() }),
            }
        }
        if pmi {
            worlds.extend(world.freeze(old | value));
        }
        if ds_pmi {
            worlds.extend(world.own_freeze(old | value));
        }
        worlds.push(world);
        worlds
    }
}
