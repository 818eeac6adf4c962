//! Support of a unit for failure reports.

use crate::lockstep::Field;
use std::fmt::{Debug, Write};

/// Support of a unit for failure reports. By default a report has the plain form: names and numbers.
pub trait UnitReport: Debug + Sync {
    /// Returns the requirements of the repository: `id`, section, area, kind, statement.
    fn requirements(&self) -> &'static str;

    /// Returns the stage whose rule determines `field` at the edge that ends the cycle `cause`, if that cycle was kept. `None` if no stage
    /// has such a field.
    fn suspect(&self, field: &str, cause: Option<&Moment<'_>>) -> Option<Suspect>;

    /// Every stage of the contract.
    fn stages(&self) -> Vec<&'static StageFacts>;

    /// Returns the group of a register or output in the contract.
    fn group(&self, _field: &str) -> Option<&'static str> {
        None
    }

    /// Returns the meaning of `value` of `field` in a row of outputs and registers; `None` for plain numbers.
    fn meaning(&self, _field: &str, _value: u64, _row: &[u32]) -> Option<String> {
        None
    }

    /// Whether the meaning of a value replaces its number.
    fn is_code(&self, _field: &str) -> bool {
        false
    }

    /// Returns the name of an input's value if it is a code.
    fn input_name(&self, _input: &str, _value: u64) -> Option<String> {
        None
    }

    /// Returns the mode of a cycle, in one or two words.
    fn mode(&self, _inputs: &[u32], _row: &[u32]) -> String {
        String::new()
    }

    /// Returns the events in the inputs of a cycle; empty if nothing happens. `before`: the inputs of the cycle before, if they were shown.
    fn inputs(&self, inputs: &[Field], row: &[u32], before: Option<&[u32]>) -> Vec<String> {
        let named = || inputs.iter().filter(|field| field.name != "rst_n");
        let old = |field: &Field| before.map_or(0, |before| field.of(before));
        let comes = named().filter(|field| field.of(row) != old(field));
        let comes: Vec<String> = comes.map(|field| self.input(field, row)).collect();
        let mut said = if comes.is_empty() { Vec::new() } else { vec![comes.join(", ")] };
        let kept = named().filter(|field| field.of(row) != 0 && field.of(row) == old(field)).count();
        if kept > 0 {
            said.push(format!("{kept} more that are not 0, as in the cycle before"));
        }
        if inputs.first().is_some_and(|rst_n| rst_n.of(row) == 0) {
            said.insert(0, "reset is asserted".to_owned());
        }
        said
    }

    /// Returns the events in the inputs of a cycle, in one line.
    fn input_line(&self, inputs: &[Field], row: &[u32]) -> String {
        let said = self.inputs(inputs, row, None);
        if said.is_empty() { "nothing comes in".to_owned() } else { said.join(", ") }
    }

    /// Returns an input as text, with its name and its value.
    fn input(&self, field: &Field, row: &[u32]) -> String {
        let value = field.of(row);
        let mut text = field.name.to_owned();
        let name = self.input_name(field.name, value);
        // A string takes everything.
        let _ = match (name, field.width) {
            (Some(name), _) => write!(text, " {name}"),
            (None, 1) if value != 0 => Ok(()),
            (None, 1..=8) => write!(text, " {value}"),
            (None, _) => write!(text, " {value:#x}"),
        };
        text
    }

    /// Returns registers whose changes carry no information.
    fn restless(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns outputs and registers to show if this stage is suspected.
    fn watched(&self, _stage: &str) -> Vec<&'static str> {
        Vec::new()
    }

    /// Whether to show an input if it changes.
    fn is_telling(&self, input: &str) -> bool {
        input != "rst_n"
    }
}

/// Cycle with its inputs, and with the registers before the edge that ends it.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Number of the cycle.
    pub cycle: u64,
    /// Inputs.
    pub inputs: &'a [u32],
    /// Outputs and registers.
    pub shown: &'a [u32],
    /// The words of the straps.
    pub straps: &'a [u32],
}

/// Suspected stage.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// The stage.
    pub stage: &'static StageFacts,
    /// Reason for the suspicion.
    pub because: String,
    /// Chapter with its rule for the field.
    pub chapter: &'static str,
    /// Requirements that define its rule for the field.
    pub requirements: &'static [&'static str],
}

/// Sources of a stage, relative to the root of the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageFacts {
    /// Name in the contract.
    pub name: &'static str,
    /// Chapter that defines the stage.
    pub chapter: &'static str,
    /// SystemVerilog files.
    pub rtl: &'static [&'static str],
    /// Files of the model.
    pub model: &'static [&'static str],
    /// Areas of its requirements, for example `CNT` of `LWP-CNT-01`.
    pub areas: &'static [&'static str],
}

/// Stage with the beginnings of the names of its fields. A unit needs a table of them for a plain report.
#[derive(Clone, Copy, Debug)]
pub struct StageOfFields {
    /// Beginnings of names of outputs and registers.
    pub fields: &'static [&'static str],
    /// The stage.
    pub stage: StageFacts,
    /// Requirements that define its rules.
    pub requirements: &'static [&'static str],
}

impl StageOfFields {
    /// Returns the stage of `field` in a table, as a suspect.
    #[must_use]
    pub fn suspect(table: &'static [Self], field: &str, cause: Option<&Moment<'_>>) -> Option<Suspect> {
        let owns = |row: &&Self| row.fields.iter().any(|beginning| field.starts_with(beginning));
        let row = table.iter().find(owns)?;
        let because = match cause {
            Some(now) => format!("it writes `{field}`, at the edge that ends cycle {}", now.cycle),
            None => "there is no cycle before this one: its reset value is wrong".to_owned(),
        };
        Some(Suspect { stage: &row.stage, because, chapter: row.stage.chapter, requirements: row.requirements })
    }
}

/// Returns the name of a field without its indices: `state.lp[3].credit` as `state.lp.credit`.
#[must_use]
pub fn without_indices(field: &str) -> String {
    let mut inside = false;
    let outside = |letter: &char| {
        let index = inside || *letter == '[';
        inside = index && *letter != ']';
        !index
    };
    field.chars().filter(outside).collect()
}

#[cfg(test)]
mod tests {
    use crate::rtl::BuildId;
    use crate::unit::UNITS;
    use std::path::Path;

    /// The files of assertions state what the stages have to keep; every other file is part of a stage, and a report names it.
    #[test]
    fn every_file_of_the_rtl_belongs_to_a_stage() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for unit in UNITS {
            let named: Vec<&str> = unit.report.stages().iter().flat_map(|stage| stage.rtl).copied().collect();
            let list = BuildId::of_unit(unit.name).next().expect("every unit has a build").info().file_list;
            let folder = Path::new("rtl").join(list).parent().expect("a list is in a folder").to_owned();
            for entry in std::fs::read_dir(root.join(&folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                let of_stage = name.ends_with(".sv") && !name.contains("_assert");
                let path = folder.join(&name).display().to_string();
                assert!(!of_stage || named.contains(&path.as_str()), "no stage of `{}` has {path}", unit.name);
            }
            for file in named {
                assert!(root.join(file).is_file(), "{file}");
            }
        }
    }
}
