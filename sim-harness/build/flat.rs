//! Writes the flat SystemVerilog top of a unit from its table: rows of words to ports and back.
//!
//! The name of a field says where it belongs, by its part up to the first dot or bracket: `tsd` is the port `tsd_i`; all fields
//! `reg.*` are the struct port `reg_i`; all fields `lanes[*].*` are the port `lanes_i`, an array of structs. All straps are the struct port
//! `cfg_i`. The output `reg_done` is the port `reg_done_o`. Structs have their fields in the order of the table.
//!
//! A register is a part of `state_o` and may be anywhere in the table: it is found by its name, `state.rate.fraction`, or by the value
//! that its line packs, `state.cand.valid`, since model and RTL nest their registers alike.

use crate::ports::{Ports, name_of};
use crate::units::{Build, Unit};
use lwp_model::flat::{Field, words};
use std::fmt::Write;

/// The rows of a build.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    /// 32-bit words of `straps_i`, `in_i` and `out_o`.
    pub strap_words: usize,
    pub in_words: usize,
    pub out_words: usize,
    pub straps: &'static [Field],
    /// `rst_n` is the first.
    pub inputs: &'static [Field],
    /// Outputs, then registers, whose names begin with `state.`.
    pub outputs: &'static [Field],
}

impl Rows {
    /// Those of a unit.
    pub(crate) const fn of<U: lwp_model::Unit>() -> Self {
        Self {
            strap_words: U::STRAP_WORDS,
            in_words: U::INPUT_WORDS,
            out_words: U::OUTPUT_WORDS,
            straps: U::STRAP_FIELDS,
            inputs: U::INPUT_FIELDS,
            outputs: U::OUTPUT_FIELDS,
        }
    }

    pub(crate) fn output_ports(&self) -> Ports {
        Ports::of(self.outputs.iter().filter(|field| !is_register(field)))
    }
}

/// Contract names that SystemVerilog reserves or that the RTL's packages cannot have, with the RTL's names.
const RENAMED: [(&str, &str); 7] = [
    ("event", "event_id"),
    ("wait", "waiting"),
    ("abort", "aborts"),
    ("queue", "waiting"),
    ("class", "classes"),
    ("local", "local_lines"),
    ("set", "set_index"),
];

/// The module `<unit>_flat` of a build.
pub(crate) fn top(unit: &Unit, build: &Build) -> String {
    let (name, rows) = (unit.name, &build.rows);
    let mut text = format!(
        "// The unit `{name}` behind arrays of 32-bit words. Made from the table of its rows.\n//\n\
         // What goes out is an array: of one wide vector Verilator makes one wide concatenation, which costs as much as half of a unit.\n\n\
         module {name}_flat{} (\n{}  output logic [31:0] out_o [{}]\n);\n\n",
        parameters(unit, build),
        inputs_of(rows),
        rows.out_words,
    );
    let outputs = rows.output_ports();
    for (port, width) in outputs.widths() {
        let _ = writeln!(text, "  logic [{}:0] {port};", width - 1);
    }
    // Waves show each register in the module that holds it. Verilator traces the struct once more as one wide expression a field.
    // The port has room for the largest build.
    let _ = writeln!(
        text,
        "  // verilator tracing_off\n  // verilator lint_off UNUSEDSIGNAL\n  {} state;\n  // verilator lint_on UNUSEDSIGNAL\n  // verilator tracing_on\n",
        unit.state
    );
    text.push_str(&words_out(rows, &outputs));
    let _ = writeln!(
        text,
        "  {name} #(\n{}\n  ) u_{name} (\n    .clk_i,\n{}\n  );\n\nendmodule",
        passed(unit),
        connections(unit, rows, &outputs).join(",\n"),
    );
    text
}

/// The parameter list of a module; the sizes of the build are the defaults.
pub(crate) fn parameters(unit: &Unit, build: &Build) -> String {
    let sizes = unit.parameters.iter().zip(build.values);
    let lines: Vec<_> = sizes.map(|(name, value)| format!("  parameter int unsigned {name} = {value}")).collect();
    format!(" #(\n{}\n)", lines.join(",\n"))
}

/// The parameters of a module, passed on.
pub(crate) fn passed(unit: &Unit) -> String {
    unit.parameters.iter().map(|name| format!("    .{name}({name})")).collect::<Vec<_>>().join(",\n")
}

/// The inputs of a module.
pub(crate) fn inputs_of(rows: &Rows) -> String {
    format!(
        "  input  logic clk_i,\n  // Words have room to spare.\n  // verilator lint_off UNUSEDSIGNAL\n  \
         input  logic [{}:0][31:0] straps_i,\n  input  logic [{}:0][31:0] in_i,\n  // verilator lint_on UNUSEDSIGNAL\n",
        rows.strap_words - 1,
        rows.in_words - 1,
    )
}

fn connections(unit: &Unit, rows: &Rows, outputs: &Ports) -> Vec<String> {
    let straps: Vec<_> = rows.straps.iter().map(|field| bits("straps_i", field)).collect();
    let mut ports = vec![format!("    .cfg_i({{{}}})", straps.join(", "))];
    for (port, fields) in Ports::of(rows.inputs).msb_first() {
        let parts: Vec<_> = fields.iter().map(|field| bits("in_i", field)).collect();
        let value = format!("{{{}}}", parts.join(", "));
        let cast = unit.enums.iter().find(|(of, _)| *of == port);
        let value = cast.map_or_else(|| value.clone(), |(_, kind)| format!("{kind}'({value})"));
        let port = if port == "rst_n" { "rst_ni".to_owned() } else { format!("{port}_i") };
        ports.push(format!("    .{port}({value})"));
    }
    ports.extend(outputs.widths().map(|(port, _)| format!("    .{port}_o({port})")));
    let mut lint_on = "";
    // An array that is empty in this build and not in another.
    for build in unit.builds {
        for (port, _) in build.rows.output_ports().widths() {
            let line = format!("    // verilator lint_off PINCONNECTEMPTY\n    .{port}_o()");
            if outputs.widths().all(|(own, _)| own != port) && !ports.contains(&line) {
                ports.push(line);
                lint_on = "    // verilator lint_on PINCONNECTEMPTY\n";
            }
        }
    }
    ports.push(format!("{lint_on}    .state_o(state)"));
    ports
}

/// The words that go out. The higher word of a wide field comes first: Verilator keeps the order, and the lower one first is slower.
fn words_out(rows: &Rows, outputs: &Ports) -> String {
    let higher = |word: usize| rows.outputs.iter().any(|field| field.width > 32 && field.word + 1 == word);
    let mut order: Vec<usize> = (0..words(rows.outputs)).collect();
    order.sort_by_key(|&word| if higher(word) { (word - 1, 0) } else { (word, 1) });
    let place = |field: &Field, from: u32, width: u32| {
        if is_register(field) {
            return register(field) + &select(field, from, width);
        }
        let lsb = outputs.lsb(field) + from;
        format!("{}[{}:{lsb}]", name_of(field), lsb + width - 1)
    };
    let mut text = String::new();
    for number in order {
        let _ = writeln!(text, "  assign out_o[{number}] = {};", word(rows.outputs, number, place));
    }
    text.push('\n');
    text
}

/// A word of a row as a concatenation. `place` is where bits of a field are: from a bit upwards, so many.
pub(crate) fn word(fields: &[Field], word: usize, place: impl Fn(&Field, u32, u32) -> String) -> String {
    let mut parts: Vec<_> = fields.iter().filter_map(|field| part(field, word).map(|part| (field, part))).collect();
    parts.sort_by_key(|(_, part)| part.lsb);
    let (mut values, mut next) = (Vec::new(), 0);
    for (field, Part { lsb, from, width }) in parts {
        if lsb > next {
            values.push(format!("{}'d0", lsb - next));
        }
        next = lsb + width;
        values.push(place(field, from, width));
    }
    if next < 32 {
        values.push(format!("{}'d0", 32 - next));
    }
    values.reverse();
    format!("{{{}}}", values.join(", "))
}

pub(crate) fn is_register(field: &Field) -> bool {
    field.name.starts_with("state.")
}

/// The bits of a field in a word.
struct Part {
    /// The lowest bit of the word.
    lsb: u32,
    /// The lowest bit of the field.
    from: u32,
    width: u32,
}

fn part(field: &Field, word: usize) -> Option<Part> {
    let from = if field.width <= 32 { 0 } else { word.checked_sub(field.word)? as u32 * 32 };
    if field.width <= 32 && field.word != word || from >= field.width {
        return None;
    }
    Some(Part { lsb: field.lsb, from, width: (field.width - from).min(32) })
}

/// Bits of a field that is by itself.
pub(crate) fn select(field: &Field, from: u32, width: u32) -> String {
    if field.width <= 32 { String::new() } else { format!("[{}:{from}]", from + width - 1) }
}

/// A register in the RTL: the value that its line packs, if that begins with the state, else its name.
pub(crate) fn register(field: &Field) -> String {
    let path = if field.value.starts_with("state.") { field.value } else { field.name };
    let renamed = |part: &str| {
        let (name, index) = part.find('[').map_or((part, ""), |at| part.split_at(at));
        let name = RENAMED.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| *to);
        format!("{name}{index}")
    };
    path.split('.').map(renamed).collect::<Vec<_>>().join(".")
}

/// The bits of a field in the row that comes in.
fn bits(row: &str, field: &Field) -> String {
    let (word, lsb) = (field.word, field.lsb);
    if field.width <= 32 {
        return format!("{row}[{word}][{}:{lsb}]", lsb + field.width - 1);
    }
    let high = field.width - 33;
    format!("{row}[{}][{high}:0], {row}[{word}]", word + 1)
}

#[cfg(test)]
#[path = "flat_tests.rs"]
mod tests;
