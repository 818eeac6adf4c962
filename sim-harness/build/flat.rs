//! Writes the flat SystemVerilog top of a unit from its table: rows of words to ports and back.
//!
//! The name of a field says where it belongs: `cfg_i` takes all straps, in their order; `reg.reg_op` is part of the struct port
//! `reg_i`, which takes all fields named `reg.*` in their order; `tsd` is the port `tsd_i`; the output `reg_done` is the port
//! `reg_done_o`; the register `state.rate.fraction` is `state_o.rate.fraction`.

use crate::units::{Build, Flat, Unit};
use lwp_model::flat::{Field, words};
use std::fmt::Write;

/// The rows of a build.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    /// 32-bit words of `straps_i`, `in_i` and `out_o`.
    pub strap_words: usize,
    pub in_words: usize,
    pub out_words: usize,
    straps: &'static [Field],
    /// `rst_n` is the first.
    inputs: &'static [Field],
    /// Outputs, then registers, whose names begin with `state.`.
    outputs: &'static [Field],
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
}

/// The module of a build, unless it is written by hand.
pub(crate) fn top(unit: &Unit, build: &Build) -> Option<String> {
    let Flat::Table { enums } = unit.flat else { return None };
    let (name, rows) = (unit.name, &build.rows);
    let mut text = format!(
        "// The unit `{name}` behind arrays of 32-bit words. Made from the table of its rows.\n\n\
         module {name}_flat\n  import {name}_pkg::*;\n#(\n{}\n) (\n  input  logic clk_i,\n  \
         // Words have room to spare.\n  // verilator lint_off UNUSEDSIGNAL\n  \
         input  logic [{}:0][31:0] straps_i,\n  input  logic [{}:0][31:0] in_i,\n  \
         // verilator lint_on UNUSEDSIGNAL\n  output logic [31:0] out_o [{}]\n);\n\n",
        unit.parameters
            .iter()
            .map(|name| format!("  parameter int unsigned {name} = 1"))
            .collect::<Vec<_>>()
            .join(",\n"),
        rows.strap_words - 1,
        rows.in_words - 1,
        rows.out_words,
    );
    text.push_str(&outputs(rows));
    let _ = writeln!(
        text,
        "  {name} #(\n{}\n  ) u_{name} (\n    .clk_i,\n{}\n  );\n\nendmodule",
        unit.parameters.iter().map(|name| format!("    .{name}({name})")).collect::<Vec<_>>().join(",\n"),
        connections(enums, rows).join(",\n"),
    );
    Some(text)
}

fn connections(enums: &[(&str, &str)], rows: &Rows) -> Vec<String> {
    let straps: Vec<_> = rows.straps.iter().map(|field| bits("straps_i", field)).collect();
    let mut ports = vec![format!("    .cfg_i({{{}}})", straps.join(", "))];
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for field in rows.inputs {
        let group = field.name.split('.').next().unwrap_or(field.name);
        let bits = bits("in_i", field);
        match groups.last_mut() {
            Some((last, parts)) if *last == group => parts.push(bits),
            _ => groups.push((group, vec![bits])),
        }
    }
    for (group, parts) in groups {
        let value = format!("{{{}}}", parts.join(", "));
        let cast = enums.iter().find(|(port, _)| *port == group);
        let value = cast.map_or_else(|| value.clone(), |(_, kind)| format!("{kind}'({value})"));
        let port = if group == "rst_n" { "rst_ni".to_owned() } else { format!("{group}_i") };
        ports.push(format!("    .{port}({value})"));
    }
    let outputs = rows.outputs.iter().filter(|field| !is_register(field));
    ports.extend(outputs.map(|field| format!("    .{0}_o({0})", field.name)));
    ports.push("    .state_o(state)".to_owned());
    ports
}

/// Wires for the outputs, and the words that go out.
fn outputs(rows: &Rows) -> String {
    let mut text = String::new();
    for field in rows.outputs.iter().filter(|field| !is_register(field)) {
        let _ = writeln!(text, "  logic [{}:0] {};", field.width - 1, field.name);
    }
    text.push_str("  state_t state;\n\n");
    for word in 0..words(rows.outputs) {
        let mut parts = Vec::new();
        let mut next = 0;
        for field in rows.outputs {
            let Some((lsb, part)) = part(field, word) else { continue };
            if lsb > next {
                parts.push(format!("{}'d0", lsb - next));
            }
            next = lsb + part.1;
            parts.push(part.0);
        }
        if next < 32 {
            parts.push(format!("{}'d0", 32 - next));
        }
        parts.reverse();
        let _ = writeln!(text, "  assign out_o[{word}] = {{{}}};", parts.join(", "));
    }
    text.push('\n');
    text
}

fn is_register(field: &Field) -> bool {
    field.name.starts_with("state.")
}

/// The bits of a field in a word, as lowest bit, expression and width.
fn part(field: &Field, word: usize) -> Option<(u32, (String, u32))> {
    let first = field.word;
    if field.width <= 32 {
        return (first == word).then(|| (field.lsb, (field.name.to_owned(), field.width)));
    }
    let from = word.checked_sub(first)? as u32 * 32;
    let width = field.width.checked_sub(from).filter(|left| *left > 0)?.min(32);
    Some((0, (format!("{}[{}:{from}]", field.name, from + width - 1), width)))
}

fn bits(row: &str, field: &Field) -> String {
    let (word, lsb) = (field.word, field.lsb);
    if field.width <= 32 {
        return format!("{row}[{word}][{}:{lsb}]", lsb + field.width - 1);
    }
    let high = field.width - 33;
    format!("{row}[{}][{high}:0], {row}[{word}]", word + 1)
}
