//! What a report asks a unit.

use crate::lockstep::Field;
use std::fmt::{Debug, Write};

/// How a unit's failures are explained. A unit that has nothing to say of its rows gets the plain form: names and numbers.
pub trait UnitReport: Debug + Sync {
    /// The requirements, as the repository has them: `id`, section, area, kind, statement.
    fn requirements(&self) -> &'static str;

    /// The stage whose rule decides over `field` at the edge that ends the cycle `cause`, if that was kept. `None`: no stage has such
    /// a field.
    fn suspect(&self, field: &str, cause: Option<&Moment<'_>>) -> Option<Suspect>;

    /// Every stage of the contract.
    fn stages(&self) -> Vec<&'static StageFacts>;

    /// The group of a register or output in the contract.
    fn group(&self, _field: &str) -> Option<&'static str> {
        None
    }

    /// What `value` of `field` means in a row of outputs and registers; `None` for plain numbers.
    fn meaning(&self, _field: &str, _value: u64, _row: &[u32]) -> Option<String> {
        None
    }

    /// Whether the meaning of a value says all about it, and its number nothing.
    fn is_code(&self, _field: &str) -> bool {
        false
    }

    /// The name of an input's value, where it is a code.
    fn input_name(&self, _input: &str, _value: u64) -> Option<String> {
        None
    }

    /// The mode of a cycle, in a word or two.
    fn mode(&self, _inputs: &[u32], _row: &[u32]) -> String {
        String::new()
    }

    /// What the inputs of a cycle bring, one thing each; empty for a cycle in which nothing comes.
    fn inputs(&self, inputs: &[Field], row: &[u32]) -> Vec<String> {
        let comes = inputs.iter().filter(|field| field.name != "rst_n" && field.of(row) != 0);
        let mut said: Vec<String> = comes.map(|field| self.input(field, row)).collect();
        if inputs.first().is_some_and(|rst_n| rst_n.of(row) == 0) {
            said.insert(0, "reset is asserted".to_owned());
        }
        said
    }

    /// The same in a line.
    fn input_line(&self, inputs: &[Field], row: &[u32]) -> String {
        let said = self.inputs(inputs, row);
        if said.is_empty() { "nothing comes in".to_owned() } else { said.join(", ") }
    }

    /// One input, with its name and its value.
    fn input(&self, field: &Field, row: &[u32]) -> String {
        let value = field.of(row);
        let mut text = field.name.to_owned();
        let name = self.input_name(field.name, value);
        // A string takes everything.
        let _ = match (name, field.width) {
            (Some(name), _) => write!(text, " {name}"),
            (None, 1) => Ok(()),
            (None, 2..=8) => write!(text, " {value}"),
            (None, _) => write!(text, " {value:#x}"),
        };
        text
    }

    /// Registers that change without meaning anything by it.
    fn restless(&self) -> &'static [&'static str] {
        &[]
    }

    /// Outputs and registers worth looking at if this stage is suspected.
    fn watched(&self, _stage: &str) -> Vec<&'static str> {
        Vec::new()
    }

    /// Whether an input is worth looking at, if it moves.
    fn is_telling(&self, input: &str) -> bool {
        input != "rst_n"
    }
}

/// One cycle as the rules of a contract see it: inputs, and the registers before the edge that ends it.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Its number.
    pub cycle: u64,
    /// Inputs.
    pub inputs: &'a [u32],
    /// Outputs and registers.
    pub shown: &'a [u32],
    /// The words of the straps.
    pub straps: &'a [u32],
}

/// A stage under suspicion.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// The stage.
    pub stage: &'static StageFacts,
    /// What makes it the one.
    pub because: String,
    /// The requirements that its rule for the field comes from.
    pub requirements: &'static [&'static str],
}

/// Where to look for a stage, from the root of the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageFacts {
    /// Its name in the contract.
    pub name: &'static str,
    /// The chapter that fixes what it does.
    pub chapter: &'static str,
    /// Its SystemVerilog.
    pub rtl: &'static [&'static str],
    /// Its part of the model.
    pub model: &'static [&'static str],
    /// The areas of the requirements that ask something of it: `CNT` of `LWP-CNT-01`.
    pub areas: &'static [&'static str],
}

/// A stage, and the fields that are its own by how their names begin. A table of them is what a unit needs for a plain report.
#[derive(Clone, Copy, Debug)]
pub struct StageOfFields {
    /// Beginnings of names of outputs and registers.
    pub fields: &'static [&'static str],
    /// The stage.
    pub stage: StageFacts,
    /// The requirements that its rules come from.
    pub requirements: &'static [&'static str],
}

impl StageOfFields {
    /// The stage of `field` in a table, as a suspect.
    #[must_use]
    pub fn suspect(table: &'static [Self], field: &str, cause: Option<&Moment<'_>>) -> Option<Suspect> {
        let owns = |row: &&Self| row.fields.iter().any(|beginning| field.starts_with(beginning));
        let row = table.iter().find(owns)?;
        let because = match cause {
            Some(now) => format!("it writes `{field}`, at the edge that ends cycle {}", now.cycle),
            None => "there is no cycle before this one: its reset value is wrong".to_owned(),
        };
        Some(Suspect { stage: &row.stage, because, requirements: row.requirements })
    }
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
