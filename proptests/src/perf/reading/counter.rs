//! A counter: the values that it may have, and what a cycle does to them.

/// More possible values than this are not told apart.
const MOST: usize = 96;

/// A possible state of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Path {
    value: u64,
    /// Whether the condition held in the last clock that was looked at. Only edges depend on it.
    held: bool,
}

/// What a cycle does to a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It is no clock of the event.
    Idle,
    /// The counter is disabled. The documents do not say whether the condition of an edge is looked at meanwhile.
    Off,
    /// It counts, from the least to the most occurrences.
    Count([u16; 2], Filter),
    /// The documents do not define what it does.
    Open,
}

/// The fields of an event select that filter the number of occurrences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    /// Whether the privilege level is one that is counted. Otherwise the condition does not hold.
    pub(super) level: bool,
    pub(super) edge: bool,
    pub(super) invert: bool,
    /// Whether INV with a counter mask of 0 counts nothing.
    pub(super) invert_zero: bool,
    pub(super) mask: u8,
}

impl Filter {
    /// Returns whether the condition holds with this number of occurrences, and what a counter without edge detection adds.
    // P6-28, P6-30, P6-31, APM-32, APM-34, APM-35.
    fn condition(self, number: u16) -> (bool, u64) {
        if !self.level {
            return (false, 0);
        }
        if self.mask == 0 {
            let nothing = self.invert && self.invert_zero;
            return if nothing { (false, 0) } else { (number > 0, number.into()) };
        }
        let holds = (number >= u16::from(self.mask)) != self.invert;
        (holds, holds.into())
    }
}

/// What a cycle made of a possible state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Outcome {
    path: Path,
    overflow: bool,
    counted: bool,
}

/// The increments of a cycle, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    /// Whether it may have counted.
    pub(super) possible: bool,
    /// Whether it has counted for certain.
    pub(super) certain: bool,
}

/// The possible states of a counter.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    width: u32,
    /// The possible states, in order, or none if the value is not known at all.
    paths: Option<Vec<Path>>,
}

impl Counter {
    /// Returns a counter of so many bits that is 0.
    pub(super) fn new(width: u8) -> Self {
        Self { width: width.into(), paths: Some(vec![Path { value: 0, held: false }, Path { value: 0, held: true }]) }
    }

    /// Returns the largest value.
    pub(super) const fn mask(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// Returns the value if only one is possible.
    pub(super) fn known(&self) -> Option<u64> {
        let paths = self.paths.as_ref()?;
        let value = paths.first()?.value;
        paths.iter().all(|path| path.value == value).then_some(value)
    }

    /// Uses a value that was read, of which these bits were shown.
    pub(super) fn read(&mut self, shown: u64, bits: u64) -> Result<(), String> {
        let mask = self.mask();
        match &mut self.paths {
            Some(paths) => {
                let values: Vec<u64> = paths.iter().map(|path| path.value & bits).collect();
                paths.retain(|path| path.value & bits == shown);
                if paths.is_empty() {
                    return Err(format!("the counter reads {shown:#x}, and may be {values:#x?}"));
                }
            }
            None if shown > mask => return Err(format!("the counter reads {shown:#x}, which is too wide")),
            None if mask & !bits == 0 => self.paths = Some(both(shown)),
            None => (),
        }
        Ok(())
    }

    /// Steps a cycle, in which the counter may be written with one of `written`, and in which it overflowed or did not.
    pub(super) fn step(&mut self, step: Step, written: Option<&[u64]>, overflow: bool) -> Result<Counted, String> {
        let mut outcomes = Vec::new();
        let open = step == Step::Open || self.paths.is_none();
        for path in self.paths.iter().flatten() {
            self.outcomes(*path, step, &mut outcomes);
        }
        let mut counted = of(&outcomes, overflow);
        if let Some(values) = written {
            // The write replaces what the cycle counted, or the cycle counts from the value written on.
            let seen: Vec<bool> = outcomes.iter().map(|outcome| outcome.overflow).collect();
            outcomes.clear();
            for path in values.iter().flat_map(|value| both(*value)) {
                let old = seen.contains(&overflow) || open;
                if old {
                    outcomes.push(Outcome { path, overflow, counted: true });
                    outcomes.push(Outcome { path: Path { held: !path.held, ..path }, overflow, counted: false });
                }
                if step != Step::Open {
                    self.outcomes(path, step, &mut outcomes);
                }
            }
            counted = Counted { possible: step != Step::Idle && step != Step::Off, certain: false };
        } else if open {
            self.paths = None;
            let still = matches!(step, Step::Idle | Step::Off);
            if still && overflow {
                return Err("the counter overflows while it cannot count".into());
            }
            return Ok(Counted { possible: !still, certain: false });
        }
        outcomes.retain(|outcome| outcome.overflow == overflow);
        let mut paths: Vec<Path> = outcomes.iter().map(|outcome| outcome.path).collect();
        paths.sort_unstable();
        paths.dedup();
        if paths.is_empty() {
            let before = &self.paths;
            let not = if overflow { "overflows" } else { "does not overflow" };
            return Err(format!("the counter {not}, with {step:?}, from {before:x?}, written {written:x?}"));
        }
        self.paths = (paths.len() <= MOST).then_some(paths);
        Ok(counted)
    }

    /// Lists what a cycle may make of a state.
    fn outcomes(&self, path: Path, step: Step, to: &mut Vec<Outcome>) {
        match step {
            Step::Idle => to.push(Outcome { path, overflow: false, counted: false }),
            Step::Off => {
                let paths = both(path.value);
                to.extend(paths.into_iter().map(|path| Outcome { path, overflow: false, counted: false }));
            }
            Step::Count([least, most], filter) => {
                for number in least..=most {
                    let (holds, plain) = filter.condition(number);
                    // P6-17, P6-18: a transition from a clock without the condition to one with it.
                    let add = if filter.edge { u64::from(holds && !path.held) } else { plain };
                    let sum = path.value + add;
                    let path = Path { value: sum & self.mask(), held: holds };
                    to.push(Outcome { path, overflow: sum > self.mask(), counted: add > 0 });
                }
            }
            Step::Open => (),
        }
    }

    /// Forgets whether the condition of an edge held.
    pub(super) fn forget_edge(&mut self) {
        if let Some(paths) = &mut self.paths {
            let mut all: Vec<Path> = paths.iter().flat_map(|path| both(path.value)).collect();
            all.sort_unstable();
            all.dedup();
            *paths = all;
        }
    }
}

fn both(value: u64) -> Vec<Path> {
    vec![Path { value, held: false }, Path { value, held: true }]
}

fn of(outcomes: &[Outcome], overflow: bool) -> Counted {
    let left = || outcomes.iter().filter(|outcome| outcome.overflow == overflow);
    Counted {
        possible: left().any(|outcome| outcome.counted),
        certain: left().count() > 0 && left().all(|outcome| outcome.counted),
    }
}
