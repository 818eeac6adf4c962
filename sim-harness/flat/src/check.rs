//! The checker of a unit: the model beside the RTL in a simulation that is not the harness's.

use crate::flat::{Rows, is_register, register, select, word};
use crate::ports::{Ports, name_of};
use crate::units::{Build, Unit};
use lwp_model::flat::Field;

/// The ABI of the model's library, `LWP_ABI_VERSION` of `lwp_model.h`.
const ABI_VERSION: u32 = 1;

/// The module `<unit>_model_check` of a build.
pub(crate) fn checker(unit: &Unit, build: &Build) -> String {
    let rows = &build.rows;
    let (inputs, outputs) = (Ports::of(rows.inputs), rows.output_ports());
    include_str!("check.sv")
        .replace("@UNIT@", unit.name)
        .replace("@BUILD@", build.name)
        .replace("@SIZES@", &sizes(unit, build))
        .replace("@ABI@", &ABI_VERSION.to_string())
        .replace("@STATE@", unit.state)
        .replace("@PORTS@", &ports(rows, &inputs, &outputs))
        .replace("@SHOWN@", &shown(&outputs))
        .replace("@STRAP_WORDS@", &rows.strap_words.to_string())
        .replace("@INPUT_WORDS@", &rows.in_words.to_string())
        .replace("@ROW_WORDS@", &rows.out_words.to_string())
        .replace("@STRAPS@", &straps(rows))
        .replace("@INPUTS@", &inputs_packed(rows, &inputs))
        .replace("@ROW@", &row(rows, &outputs))
}

/// The file that binds the checker to each instance of the unit. Ports that are enumerations are no vectors, so each is named.
pub(crate) fn bind(unit: &Unit, build: &Build) -> String {
    let rows = &build.rows;
    let mut names = vec!["clk_i".to_owned(), "rst_ni".to_owned(), "cfg_i".to_owned()];
    names.extend(
        Ports::of(rows.inputs).widths().filter(|(port, _)| *port != "rst_n").map(|(port, _)| format!("{port}_i")),
    );
    names.extend(rows.output_ports().widths().map(|(port, _)| format!("{port}_o")));
    names.push("state_o".to_owned());
    let connections: Vec<_> = names.iter().map(|name| format!("  .{name}({name})")).collect();
    format!(
        "// Binds the checker to each instance of `{0}`. Made from the table of the unit's rows.\n\n\
         bind {0} {0}_model_check u_model_check (\n{1}\n);\n",
        unit.name,
        connections.join(",\n"),
    )
}

fn sizes(unit: &Unit, build: &Build) -> String {
    let sizes = unit.parameters.iter().zip(build.values);
    sizes.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

fn ports(rows: &Rows, inputs: &Ports, outputs: &Ports) -> String {
    let vector = |name: String, width: u32| format!("  input  logic [{}:0] {name},\n", width - 1);
    let straps = vector("cfg_i".to_owned(), rows.straps.iter().map(|field| field.width).sum());
    let others =
        inputs.widths().filter(|(port, _)| *port != "rst_n").map(|(port, width)| vector(format!("{port}_i"), width));
    let shown = outputs.widths().map(|(port, width)| vector(format!("{port}_o"), width));
    straps + &others.chain(shown).collect::<String>()
}

/// What must not be unknown.
fn shown(outputs: &Ports) -> String {
    outputs.widths().map(|(port, _)| format!("{port}_o, ")).collect::<String>() + "state_o"
}

/// The row of straps: the first is the highest of the struct.
fn straps(rows: &Rows) -> String {
    let place = |field: &Field, from: u32, width: u32| {
        let below = rows.straps.iter().skip_while(|other| other.name != field.name).skip(1);
        let lsb = below.map(|other| other.width).sum::<u32>() + from;
        format!("cfg_i[{}:{lsb}]", lsb + width - 1)
    };
    assigned("row", rows.strap_words, |number| word(rows.straps, number, place))
}

fn inputs_packed(rows: &Rows, inputs: &Ports) -> String {
    let place = |field: &Field, from: u32, width: u32| {
        if field.name == "rst_n" {
            return "rst_n".to_owned();
        }
        let lsb = inputs.lsb(field) + from;
        format!("{}_i[{}:{lsb}]", name_of(field), lsb + width - 1)
    };
    assigned("row", rows.in_words, |number| word(rows.inputs, number, place))
}

fn row(rows: &Rows, outputs: &Ports) -> String {
    let place = |field: &Field, from: u32, width: u32| {
        if is_register(field) {
            return register(field) + &select(field, from, width);
        }
        let lsb = outputs.lsb(field) + from;
        format!("{}_o[{}:{lsb}]", name_of(field), lsb + width - 1)
    };
    assigned("row", rows.out_words, |number| word(rows.outputs, number, place))
}

fn assigned(row: &str, words: usize, word: impl Fn(usize) -> String) -> String {
    (0..words).map(|number| format!("    {row}[{number}] = {};\n", word(number))).collect()
}
