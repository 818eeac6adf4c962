// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Runs the model of `@UNIT@` beside the RTL and compares every output and every register in every cycle, in the build `@BUILD@`
// (@SIZES@). Made from the table of the unit's rows.
//
// @UNIT@_model_bind.sv binds it to each instance of the unit. At the first difference it names the fields with both values and ends the
// simulation with $fatal. Straps are taken while rst_ni is 0. `cycles` counts the cycles that were compared.
//
//   +lwp_capsule=PATH   at a difference, leave a failure capsule: a file for `lwp-sim replay`, `shrink` and `report`, under
//                       this name, or in this folder. An existing file is never overwritten: the name gets a number.
//
// The rows have the size of this build, and some simulators want one signature for each function of C: one build of one unit in a
// simulation.

module @UNIT@_model_check (
  input  logic clk_i,
  input  logic rst_ni,
@PORTS@  input  @STATE@ state_o
);

  // Two-state: an X becomes 0 on the way to the library.
  typedef bit [@STRAP_WORDS@-1:0][31:0] strap_words_t;
  typedef bit [@INPUT_WORDS@-1:0][31:0] input_words_t;
  typedef bit [@ROW_WORDS@-1:0][31:0] row_t;

  import "DPI-C" function int lwp_model_new_unit(
    input string unit, input string build, input strap_words_t straps, input int unsigned words,
    input int unsigned abi_version, output chandle model);
  import "DPI-C" function int lwp_model_free(input chandle model);
  import "DPI-C" function int lwp_model_step_words(
    input chandle model, input input_words_t inputs, input int unsigned words);
  import "DPI-C" function int lwp_model_check(input chandle model, input row_t row, input int unsigned words);
  import "DPI-C" function string lwp_model_last_error();
  import "DPI-C" function int lwp_model_record(input chandle model);
  import "DPI-C" function int lwp_model_capsule(
    input chandle model, input string path, input string found_by, input row_t row, input int unsigned row_words,
    input input_words_t inputs, input int unsigned input_words);
  import "DPI-C" function string lwp_model_last_capsule();

  // Registers are found by the name `state`. The port has room for the largest build.
  // verilator lint_off UNUSEDSIGNAL
  @STATE@ state;
  // verilator lint_on UNUSEDSIGNAL
  assign state = state_o;

  function automatic strap_words_t strap_words();
    strap_words_t row;
@STRAPS@    return row;
  endfunction

  function automatic input_words_t input_words(logic rst_n);
    input_words_t row;
@INPUTS@    return row;
  endfunction

  function automatic row_t shown();
    row_t row;
@ROW@    return row;
  endfunction

  chandle          model = null;
  strap_words_t    straps;
  string           capsule_path = "";
  longint unsigned cycles = 0;

  // Whatever the library refuses is a mistake in this file or in how it is used.
  function automatic void must(int status);
    if (status != 0) $fatal(1, "%m: %s", lwp_model_last_error());
  endfunction

  // In reset: a new model if there is none, or none with these straps.
  function automatic void restart();
    if ((model != null) && (straps == strap_words())) begin
      must(lwp_model_step_words(model, input_words(1'b0), @INPUT_WORDS@));
    end else begin
      must(lwp_model_free(model));
      // Nothing but this process looks at the model and its straps.
      // verilator lint_off BLKSEQ
      straps = strap_words();
      // verilator lint_on BLKSEQ
      must(lwp_model_new_unit("@UNIT@", "@BUILD@", straps, @STRAP_WORDS@, @ABI@, model));
      if ($value$plusargs("lwp_capsule=%s", capsule_path)) must(lwp_model_record(model));
    end
  endfunction

  // Keeps the failure, if that is wanted. What happened to it, for people.
  function automatic string kept(row_t row);
    if (capsule_path == "") return "";
    if (lwp_model_capsule(model, capsule_path, $sformatf("the checker %m"), row, @ROW_WORDS@, input_words(1'b1), @INPUT_WORDS@) != 0) begin
      return {"\nno failure capsule: ", lwp_model_last_error()};
    end
    return {"\nthe failure capsule: ", lwp_model_last_capsule()};
  endfunction

  // Registers hold what the cycle began with, and inputs what they were in it: the edge that ends it comes last.
  function automatic void compare();
    row_t row = shown();
    string text;
    if (model == null) $fatal(1, "%m: the unit runs but was never in reset");
    if ($isunknown({@SHOWN@})) $fatal(1, "%m: cycle %0d: the unit shows an X or Z", cycles);
    if (lwp_model_check(model, row, @ROW_WORDS@) != 0) begin
      text = lwp_model_last_error();
      $fatal(1, "%m: cycle %0d: %s%s", cycles, text, kept(row));
    end
    must(lwp_model_step_words(model, input_words(1'b1), @INPUT_WORDS@));
    // verilator lint_off BLKSEQ
    cycles++;
    // verilator lint_on BLKSEQ
  endfunction

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) restart();
    else compare();
  end

  final must(lwp_model_free(model));

endmodule
