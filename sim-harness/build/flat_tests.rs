//! A unit small enough to follow by hand: each line of its flat image is written here from the rules in the heads of `flat.rs` and
//! `ports.rs`.

use super::{Rows, top};
use crate::units::{Build, Unit};
use lwp_model::flat::Field;

const fn field(name: &'static str, (word, lsb): (usize, u32), width: u32) -> Field {
    Field { name, value: "", word, lsb, width }
}

const STRAPS: &[Field] = &[field("enabled", (0, 0), 1), field("limit", (1, 0), 40)];

/// Two structs in an array, a struct, an enumeration.
const INPUTS: &[Field] = &[
    field("rst_n", (0, 0), 1),
    field("mode", (0, 1), 2),
    field("reg.valid", (0, 3), 1),
    field("reg.data", (1, 0), 64),
    field("lanes[0].valid", (3, 0), 1),
    field("lanes[0].ip", (4, 0), 32),
    field("lanes[1].valid", (5, 0), 1),
    field("lanes[1].ip", (6, 0), 32),
];

/// Words 1 and 2 hold an output of two fields, the second wider than a word; a gap in word 3; a register with a word that SystemVerilog
/// reserves, and one that is nested elsewhere than its name says.
const OUTPUTS: &[Field] = &[
    field("done", (0, 0), 1),
    field("answer.fault", (0, 1), 2),
    field("answer.data", (1, 0), 64),
    field("state.wait", (3, 0), 1),
    field("state.event", (3, 4), 4),
    Field { value: "state.pair.total[1]", ..field("state.total", (4, 0), 40) },
];

static BUILD: Build = Build {
    name: "two",
    values: &[2],
    rows: Rows { strap_words: 3, in_words: 7, out_words: 6, straps: STRAPS, inputs: INPUTS, outputs: OUTPUTS },
    extra: false,
};

static UNIT: Unit = Unit {
    name: "pair",
    state: "pair_pkg::state_t",
    enums: &[("mode", "pair_pkg::mode_e")],
    model: "",
    file_list: "",
    parameters: &["Lanes"],
    builds: std::slice::from_ref(&BUILD),
};

fn lines(from: &str) -> Vec<String> {
    let text = top(&UNIT, &BUILD);
    text.lines().map(str::trim).filter(|line| line.starts_with(from)).map(str::to_owned).collect()
}

#[test]
fn the_ports_have_the_words_of_the_rows() {
    assert_eq!(lines("parameter"), ["parameter int unsigned Lanes = 2"]);
    assert_eq!(
        lines("input"),
        ["input  logic clk_i,", "input  logic [2:0][31:0] straps_i,", "input  logic [6:0][31:0] in_i,"]
    );
    assert_eq!(lines("output"), ["output logic [31:0] out_o [6]"]);
}

#[test]
fn an_output_struct_is_as_wide_as_its_fields() {
    assert_eq!(lines("logic"), ["logic [0:0] done;", "logic [65:0] answer;"]);
}

#[test]
fn a_struct_has_the_first_field_on_top_and_an_array_its_last_entry() {
    assert_eq!(
        lines("."),
        [
            ".Lanes(Lanes)",
            ".clk_i,",
            ".cfg_i({straps_i[0][0:0], straps_i[2][7:0], straps_i[1]}),",
            ".rst_ni({in_i[0][0:0]}),",
            ".mode_i(pair_pkg::mode_e'({in_i[0][2:1]})),",
            ".reg_i({in_i[0][3:3], in_i[2][31:0], in_i[1]}),",
            ".lanes_i({in_i[5][0:0], in_i[6][31:0], in_i[3][0:0], in_i[4][31:0]}),",
            ".done_o(done),",
            ".answer_o(answer),",
            ".state_o(state)",
        ]
    );
}

#[test]
fn a_word_that_goes_out_is_padded_and_wide_fields_are_cut() {
    assert_eq!(
        lines("assign"),
        [
            "assign out_o[0] = {29'd0, answer[65:64], done[0:0]};",
            "assign out_o[2] = {answer[63:32]};",
            "assign out_o[1] = {answer[31:0]};",
            "assign out_o[3] = {24'd0, state.event_id, 3'd0, state.waiting};",
            "assign out_o[5] = {24'd0, state.pair.total[1][39:32]};",
            "assign out_o[4] = {state.pair.total[1][31:0]};",
        ]
    );
}
