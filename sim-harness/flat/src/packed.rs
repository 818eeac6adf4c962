//! The flat top with its outputs as one vector.

use crate::flat::{inputs_of, parameters, passed};
use crate::units::{Build, Unit};

/// The module `<unit>_flat_packed` of a build: outputs as one vector, for tools that do not show arrays, as VPI and netlists.
pub(crate) fn packed(unit: &Unit, build: &Build) -> String {
    let (name, rows) = (unit.name, &build.rows);
    let words = rows.out_words;
    format!(
        "// `{name}_flat` with its outputs as one vector. Made from the table of the unit's rows.\n\n\
         module {name}_flat_packed{} (\n{}  output logic [{}:0][31:0] out_o\n);\n\n  logic [31:0] words [{words}];\n\n  \
         {name}_flat #(\n{}\n  ) u_flat (\n    .clk_i,\n    .straps_i,\n    .in_i,\n    .out_o(words)\n  );\n\n  \
         for (genvar w = 0; w < {words}; w++) begin : gen_words\n    assign out_o[w] = words[w];\n  end\n\nendmodule\n",
        parameters(unit, build),
        inputs_of(rows),
        words - 1,
        passed(unit),
    )
}
