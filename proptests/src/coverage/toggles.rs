//! Toggle coverage: bits of ports and registers that have risen and fallen.
//!
//! Lockstep shows in each cycle that every output and every register of the RTL is the model's, so what the rows of a recording that
//! agreed have done, the RTL has done. Counting is two operations a word.

use super::rtl::matches;
use lwp_model::Unit;
use recording::Of;
use serde::Deserialize;
use sim_harness::rtl::BuildId;

/// Runs that are measured.
#[derive(Clone, Copy, Debug)]
pub struct ToggleRuns {
    /// Seed of the cases.
    pub seed: u64,
    /// Number of cases of each family.
    pub cases: u64,
    /// Bits of the longest time that the unit is to measure, if it measures any.
    pub wait_bits: u32,
}

/// Bits of a row that have risen, and bits that have fallen.
#[derive(Clone, Debug)]
struct Changes {
    rose: Vec<u32>,
    fell: Vec<u32>,
}

impl Changes {
    fn new(words: usize) -> Self {
        Self { rose: vec![0; words], fell: vec![0; words] }
    }

    /// Rows of one run, cycle by cycle.
    fn add(&mut self, rows: &[u32]) {
        let words = self.rose.len();
        let pairs = rows.chunks_exact(words).zip(rows.chunks_exact(words).skip(1));
        for (before, after) in pairs {
            let seen = self.rose.iter_mut().zip(&mut self.fell);
            for ((before, after), (rose, fell)) in before.iter().zip(after).zip(seen) {
                *rose |= !before & after;
                *fell |= before & !after;
            }
        }
    }
}

/// Change that a bit has not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The bit has not become 1.
    Rise,
    /// The bit has not become 0 again.
    Fall,
}

/// Bit of a port or a register.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bit {
    name: String,
    input: bool,
    word: usize,
    mask: u32,
}

/// Changes of the bits of a build.
#[derive(Clone, Debug)]
pub struct Toggles {
    build: &'static str,
    bits: Vec<Bit>,
    inputs: Changes,
    outputs: Changes,
}

impl Toggles {
    /// Returns an empty measurement of a build of the unit `U`.
    #[must_use]
    pub fn new<U: Unit>(build: BuildId) -> Self {
        let inputs = U::INPUT_FIELDS.iter().map(|field| (field, true));
        let outputs = U::OUTPUT_FIELDS.iter().map(|field| (field, false));
        let bits = inputs.chain(outputs).flat_map(|(field, input)| {
            (0..field.width).map(move |bit| {
                let at = field.lsb + bit;
                let name = if field.width == 1 { field.name.to_owned() } else { format!("{}[{bit}]", field.name) };
                Bit { name, input, word: field.word + at as usize / 32, mask: 1 << (at % 32) }
            })
        });
        let name = build.name();
        let build = name.strip_prefix(U::NAME).and_then(|rest| rest.strip_prefix('_')).unwrap_or(name);
        let (inputs, outputs) = (Changes::new(U::INPUT_WORDS), Changes::new(U::OUTPUT_WORDS));
        Self { build, bits: bits.collect(), inputs, outputs }
    }

    /// Name of the build in its unit.
    #[must_use]
    pub fn build(&self) -> &'static str {
        self.build
    }

    /// Adds a run. The result holds for the RTL only if the RTL agreed with the run.
    pub fn add<U: Unit>(&mut self, straps: &U::Config, recording: &Of<U>) {
        let rows = recording.rows::<U>(straps);
        self.inputs.add(&rows.inputs);
        self.outputs.add(&rows.outputs);
    }

    /// Adds rows of inputs, one cycle after another.
    pub fn add_inputs(&mut self, rows: &[u32]) {
        self.inputs.add(rows);
    }

    /// Adds rows of outputs, one cycle after another.
    pub fn add_outputs(&mut self, rows: &[u32]) {
        self.outputs.add(rows);
    }

    fn missing(&self, bit: &Bit) -> impl Iterator<Item = Missing> {
        let changes = if bit.input { &self.inputs } else { &self.outputs };
        let rise = changes.rose[bit.word] & bit.mask == 0;
        let fall = changes.fell[bit.word] & bit.mask == 0;
        rise.then_some(Missing::Rise).into_iter().chain(fall.then_some(Missing::Fall))
    }

    /// Compares with the claims.
    #[must_use]
    pub fn compare(&self, claims: &Unchanging) -> Compared {
        let mut compared = Compared::default();
        for bit in &self.bits {
            let missing: Vec<Missing> = self.missing(bit).collect();
            let claim = claims.about(self.build, &bit.name);
            compared.ways += 2;
            compared.seen += 2 - missing.len();
            match claim {
                None => compared.wrong.extend(missing.iter().map(|what| {
                    let does = if *what == Missing::Rise { "rises" } else { "falls" };
                    format!("{}: {} never {does}", self.build, bit.name)
                })),
                Some(claim) if claim.long => compared.long += missing.len(),
                Some(claim) if missing.len() < 2 => compared.wrong.push(format!(
                    "{}: {} changes, though it is listed as out of reach (\"{}\")",
                    self.build, bit.name, claim.reason
                )),
                Some(_) => compared.out += 2,
            }
        }
        let names: Vec<&str> = self.bits.iter().map(|bit| bit.name.as_str()).collect();
        compared.wrong.extend(claims.about_nothing(self.build, &names));
        compared
    }
}

/// Result of a comparison with the claims. Each bit counts twice: it rises, and it falls.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Number of changes.
    pub ways: usize,
    /// Number of changes that were seen.
    pub seen: usize,
    /// Number of changes that are listed as out of reach.
    pub out: usize,
    /// Number of changes that only a long run reaches and that were not seen.
    pub long: usize,
    /// Changes that are neither seen nor listed, or both, as text.
    pub wrong: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    bits: Vec<Claim>,
}

/// Bits by name; `*` stands for any text, `[7:4]` at the end for the bits of that range.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    /// Build; all builds if it is absent.
    build: Option<String>,
    /// The bits can change, but only in a long run.
    #[serde(default)]
    long: bool,
    name: Vec<String>,
    reason: String,
}

/// Bits that cannot change, each with the reason.
#[derive(Clone, Debug)]
pub struct Unchanging(List);

impl Unchanging {
    /// The claims of a list that was compiled in.
    ///
    /// # Errors
    ///
    /// If the list is wrong.
    pub fn new(file: &str, text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|why| format!("{file}: {why}"))
    }

    /// Reads a list.
    ///
    /// # Errors
    ///
    /// If it is not TOML of this form, or a reason is missing.
    pub fn parse(text: &str) -> Result<Self, String> {
        let list: List = toml::from_str(text).map_err(|error| error.to_string())?;
        match list.bits.iter().find(|claim| claim.reason.trim().is_empty()) {
            Some(claim) => Err(format!("{:?} without a reason", claim.name)),
            None => Ok(Self(list)),
        }
    }

    /// Without the claims that only hold of short runs.
    #[must_use]
    pub fn in_the_long_run(mut self) -> Self {
        self.0.bits.retain(|claim| !claim.long);
        self
    }

    fn of(&self, build: &str) -> impl Iterator<Item = &Claim> {
        self.0.bits.iter().filter(move |claim| claim.build.as_deref().is_none_or(|of| of == build))
    }

    fn about(&self, build: &str, name: &str) -> Option<&Claim> {
        self.of(build).find(|claim| claim.name.iter().any(|pattern| matches(pattern, name)))
    }

    /// Claims that name no bit.
    fn about_nothing(&self, build: &str, names: &[&str]) -> Vec<String> {
        let patterns = self.of(build).flat_map(|claim| &claim.name);
        let nothing = patterns.filter(|pattern| !names.iter().any(|name| matches(pattern, name)));
        nothing
            .map(|pattern| format!("{build}: there is no bit {pattern}, though it is listed as out of reach"))
            .collect()
    }
}
