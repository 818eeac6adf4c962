// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Asked: what each logical processor asked for, seen at the ports, with the RMID and the class of the cycle of the request; and
// the access that was chosen last, with the ways that the contract allows it. The unit's registers are compared with both; the
// proof "invariants" proves that.
//
// Rows: those of the proofs that use it.

module formal_asked
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  config_t                 cfg_i,
  input  in_t                     in_i,
  input  out_t                    out_i,
  input  state_t                  st_i,
  output asked_t [Processors-1:0] asked_o,
  output chosen_t                 choice_o
);

  asked_t [Processors-1:0] asked_d, asked_q;
  chosen_t                 choice_d, choice_q;
  logic [Processors-1:0]   now;
  assign now = chosen(cfg_i, in_i, st_i);

  always_comb begin
    asked_d  = asked_q;
    choice_d = choice_q;
    for (int unsigned i = 0; i < Processors; i++) begin
      // "`access_rmid`, `access_cos` := `rmid`, `cos` as they are in this cycle." "`code` := 0 for a write."
      if (accepts(in_i, out_i, i)) begin
        asked_d[i] = '{rmid: st_i.lp[i].rmid, cos: st_i.lp[i].cos, write: in_i.lp[i].req_write,
                       code: in_i.lp[i].req_code && !in_i.lp[i].req_write, line: LineW'(in_i.lp[i].req_addr >> cfg_i.line)};
      end
      // "The allowed ways of its class, by the registers of this cycle."
      if (now[i]) begin
        choice_d = '{turn: 3'(i), asked: asked_q[i], l3: l3_allowed(cfg_i, st_i, asked_q[i].cos, asked_q[i].code),
                     l2: l2_allowed(cfg_i, st_i, asked_q[i].cos, asked_q[i].code)};
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q  <= '0;
      choice_q <= '0;
    end else begin
      asked_q  <= asked_d;
      choice_q <= choice_d;
    end
  end

  assign asked_o  = asked_q;
  assign choice_o = choice_q;

  // RDTM-10, RDTM-17, RDTA-08: an access keeps what it was when it was issued, whatever WRMSR does meanwhile.
  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    lp_t lp;
    assign lp = st_i.lp[i];
    always_comb AskedHeld: assert ((lp.stage == '0) ||
        ({lp.access_rmid, lp.access_cos, lp.write, lp.code, lp.line} == asked_q[i]));
  end

  job_t job;
  assign job = st_i.job;
  always_comb begin
    ChosenTurn: assert (!accesses(st_i) || (job.turn == choice_q.turn));
    ChosenHeld: assert (!accesses(st_i) || ({job.rmid, job.cos, job.write, job.code, job.line} == choice_q.asked));
    // Class, kind of access, CDP and power decide.
    ChosenL3:   assert (!accesses(st_i) || (job.l3_allowed == choice_q.l3));
    // What fills no way of the L3 cache fills none of the L2 cache.
    ChosenL2:   assert (!accesses(st_i) || (job.l2_allowed == choice_q.l2) ||
                        ((job.l2_allowed == '0) && !job.fills && (job.step inside {StepMemRequest, StepMemWait})));
  end

endmodule
