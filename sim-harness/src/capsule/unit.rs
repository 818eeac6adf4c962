//! What a capsule needs to know of a unit.

use crate::lockstep::{Batch, Field, Flow, Producer};
use crate::rtl::BuildId;
use lwp_model::Unit as Machine;
use lwp_model::flat::Values;
use std::fmt::Debug;

use super::input_field::InputField;
use super::row_model::{RowModel, Surroundings};
use super::rows::RowReader;

/// A hardware unit with a model, as far as capsules are concerned.
#[derive(Debug)]
pub struct Unit {
    /// Its name in the table of builds.
    pub name: &'static str,
    /// Whether a run can begin in a state that a row shows.
    pub checkpoints: bool,
    /// The outputs and registers of a build.
    pub fields: fn(BuildId) -> &'static [Field],
    /// The fields of a build's row of inputs. The first is `rst_n`.
    pub input_fields: fn(BuildId) -> &'static [Field],
    /// The straps, and which words are their defaults.
    pub straps: &'static [Field],
    /// The straps' defaults.
    pub default_straps: fn() -> Vec<u32>,
    /// The straps that are not at their default, `name: Value`.
    pub changed_straps: fn(&[u32]) -> Vec<String>,
    /// The straps that are at their default, `name: Value`.
    pub kept_straps: fn(&[u32]) -> Vec<String>,
    /// The inputs of a build.
    pub inputs: fn(BuildId) -> Vec<InputField>,
    /// The model of a build, at reset. The error says which rule the straps break.
    pub model: MakeModel,
}

/// Makes the model of a build with these straps. The error says which rule the straps break.
pub type MakeModel = fn(BuildId, &[u32]) -> Result<Box<dyn Model>, String>;

/// Makes the [`Unit`] `UNIT` of a unit in the table of builds, of which one type is given: the shape of its inputs, its surroundings.
macro_rules! capsule_unit {
    ($(#[$doc:meta])* $name:ident: $any:ty, $shape:expr, $surroundings:ty) => {
        $(#[$doc])*
        pub static UNIT: $crate::capsule::Unit = $crate::capsule::Unit {
            name: <$any as ::lwp_model::Unit>::NAME,
            checkpoints: <$any as ::lwp_model::Unit>::CHECKPOINTS,
            fields: |build| {
                with_build!($name, build, |Built| <Built as ::lwp_model::Unit>::OUTPUT_FIELDS).unwrap_or_default()
            },
            input_fields: |build| {
                with_build!($name, build, |Built| <Built as ::lwp_model::Unit>::INPUT_FIELDS).unwrap_or_default()
            },
            straps: <$any as ::lwp_model::Unit>::STRAP_FIELDS,
            default_straps: $crate::capsule::default_straps::<$any>,
            changed_straps: $crate::capsule::straps_as_text::<$any, false>,
            kept_straps: $crate::capsule::straps_as_text::<$any, true>,
            inputs: |build| {
                with_build!($name, build, |Built| $shape.inputs(<Built as ::lwp_model::Unit>::INPUT_FIELDS))
                    .unwrap_or_default()
            },
            model: |build, straps| {
                with_build!($name, build, |Built| $crate::capsule::model::<Built, $surroundings>(straps))
                    .unwrap_or_else(|| Err(format!("{} is a build of another unit", build.name())))
            },
        };
    };
}
pub(crate) use capsule_unit;

/// The words of the default straps.
pub(crate) fn default_straps<U: Machine>() -> Vec<u32> {
    let mut words = vec![0; U::STRAP_WORDS];
    U::pack_straps(&U::Config::default(), &mut words);
    words
}

/// The straps that are (`KEPT`), or that are not, those of the default, with their values by the names of the book. Legal or not: which
/// combinations are legal depends on the build.
pub(crate) fn straps_as_text<U: Machine, const KEPT: bool>(words: &[u32]) -> Vec<String> {
    if words.len() != U::STRAP_WORDS {
        return Vec::new();
    }
    let mut values = Vec::with_capacity(U::STRAP_FIELDS.len());
    U::strap_values(&mut |value| values.push(value));
    let default = default_straps::<U>();
    let fields = U::STRAP_FIELDS.iter().zip(values);
    let chosen = fields.filter(|(field, _)| (field.of(words) == field.of(&default)) == KEPT);
    let text = |(field, values): (&Field, Values)| {
        let value = field.of(words);
        let name = match values {
            Values::Flag => Some(if value == 0 { "false" } else { "true" }),
            Values::Named(names) => usize::try_from(value).ok().and_then(|code| names.get(code).copied()),
            Values::Number => None,
        };
        name.map_or_else(|| format!("{}: {value}", field.name), |name| format!("{}: {name}", field.name))
    };
    chosen.map(text).collect()
}

/// A model at reset, with its surroundings. The error says which rule the straps break.
pub(crate) fn model<U: Machine + 'static, S: Surroundings<U> + 'static>(
    straps: &[u32],
) -> Result<Box<dyn Model>, String> {
    let straps = U::unpack_straps(straps).map_err(|error| error.to_string())?;
    let unit = U::new(straps).map_err(|error| error.to_string())?;
    Ok(Box::new(RowModel::<U, S>::new(unit)))
}

/// Inputs and what the model showed under them, row after row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Rows of inputs.
    pub inputs: Vec<u32>,
    /// Rows of outputs and registers.
    pub expected: Vec<u32>,
    /// The first cycle whose inputs broke a rule of the ports, and the rule.
    pub broken: Option<(u64, &'static str)>,
}

/// How much of a core and a memory is put between a list of inputs and the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// None: the inputs are played as they are.
    Raw,
    /// A core that waits where the contract asks it to, and drops what answers nothing.
    Polite,
    /// In addition, a memory that answers at once, with what was learnt.
    Prompt,
}

/// The model of a unit behind rows of words.
pub trait Model: Send + Debug {
    /// One cycle: writes what outputs and registers are into `expected`, then lets the model take `inputs`.
    fn cycle(&mut self, inputs: &[u32], expected: &mut [u32]);

    /// Begins here and in every later run in the state that a row of outputs and registers shows. False: no state shows this row.
    fn resume(&mut self, row: &[u32]) -> bool;

    /// The first cycle whose inputs broke a rule of the ports, and the rule.
    fn broken(&self) -> Option<(u64, &'static str)>;

    /// Remembers what the memory answers in rows from reset on, for [`Drive::Prompt`].
    fn learn(&mut self, rows: &[u32]);

    /// Plays rows from reset on. False: it took more than `limit` cycles, and `into` is not whole.
    fn drive(&mut self, rows: &[u32], how: Drive, limit: usize, into: &mut Played) -> bool;
}

/// The rows of a capsule and the model under them.
#[derive(Debug)]
pub(super) struct CapsuleProducer<'a> {
    rows: RowReader<'a>,
    model: Box<dyn Model>,
    fields: Vec<InputField>,
    last: Vec<u32>,
}

impl<'a> CapsuleProducer<'a> {
    /// `model` is at reset, `fields` are its inputs.
    pub(super) fn new(rows: RowReader<'a>, model: Box<dyn Model>, fields: Vec<InputField>) -> Self {
        Self { rows, model, fields, last: Vec::new() }
    }

    /// Goes on after the last row with cycles in which nothing comes in: at most `count` of them, and as many as there is room for.
    pub(super) fn idle(&mut self, batch: &mut Batch, count: u64) {
        let before = Some(&self.last[..]).filter(|last| !last.is_empty());
        let values: Vec<u32> = self.fields.iter().map(|field| field.neutral_after(before)).collect();
        for _ in 0..count {
            let Some(row) = batch.push() else { break };
            row.inputs.fill(0);
            self.fields.iter().zip(&values).for_each(|(field, &value)| field.set(row.inputs, value));
            self.model.cycle(row.inputs, row.expected);
        }
    }
}

impl Producer for CapsuleProducer<'_> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        let mut flow = Flow::More;
        while batch.room() > 0 {
            // A capsule's rows were all read when it was loaded.
            let Ok(Some(inputs)) = self.rows.next_row() else {
                flow = Flow::End;
                break;
            };
            let Some(row) = batch.push() else { break };
            row.inputs.copy_from_slice(inputs);
            self.model.cycle(inputs, row.expected);
        }
        if let Some(last) = batch.cycles().checked_sub(1) {
            self.last.clear();
            self.last.extend_from_slice(batch.input_row(last));
        }
        if self.rows.left() == 0 { Flow::End } else { flow }
    }
}
