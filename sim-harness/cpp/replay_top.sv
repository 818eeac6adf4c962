// Presents the flat image of a unit so that a simulator computes each cycle once.
//
// The unit's inputs come from registers. Driven by ports instead, all logic between inputs and registers would be computed
// three times a cycle: when the ports change, after the rising edge and at the falling edge.
//
// A rising edge *begins* a cycle: at `clk_i` the unit's registers take what the cycle before decided, at `in_clk_i` the
// cycle's inputs are loaded. After it, `out_o` is what the registers hold in this cycle. A reset that the cycle's inputs carry
// acts at once. Replay raises both clocks together; an environment that has to see the outputs before it can say what the
// inputs are raises one after the other.

module replay_top (
  input  logic                          clk_i,
  input  logic                          in_clk_i,
  input  logic [`STRAP_WORDS-1:0][31:0] straps_i,
  input  logic [`IN_WORDS-1:0][31:0]    in_i,
  output logic [31:0]                   out_o [`OUT_WORDS]
);

  // In waves the unit's own ports say it better.
  /* verilator tracing_off */
  logic [`STRAP_WORDS-1:0][31:0] straps_q;
  logic [`IN_WORDS-1:0][31:0]    in_q;
  /* verilator tracing_on */

  always_ff @(posedge in_clk_i) begin
    straps_q <= straps_i;
    in_q     <= in_i;
  end

  `FLAT #(
    `FLAT_PARAMETERS
  ) u_flat (
    .clk_i,
    .straps_i(straps_q),
    .in_i    (in_q),
    .out_o
  );

endmodule
