// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Shown: each output is what docs/src/rdt/ports.md makes of the registers, and the window of the probe shows the memories. The
// proof "invariants" proves it.

module formal_shown
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input config_t cfg_i,
  input out_t    out_i,
  input state_t  st_i,
  input tags_t   tags_i
);

  job_t job;
  logic clear, back, asks;
  assign job   = st_i.job;
  assign clear = job.step == StepClear;
  assign back  = job.step == StepWriteBack;
  assign asks  = job.step == StepMemRequest;

  // An access that gets no way of the L3 cache writes memory itself.
  mem_out_t request;
  always_comb begin
    request = '0;
    if (back) request = '{mem_req: 1'b1, mem_write: 1'b1, mem_addr: 52'(job.victim) << cfg_i.line, mem_rmid: job.victim_rmid,
                          mem_cos: '0};
    if (asks) request = '{mem_req: 1'b1, mem_write: job.write && !job.fills, mem_addr: 52'(job.line) << cfg_i.line,
                          mem_rmid: job.rmid, mem_cos: job.cos};
  end

  always_comb MemoryShown: assert (out_i.mem == request);
  always_comb PowerShown: assert ((out_i.power == st_i.power) && (out_i.walking == job.walk));
  always_comb AnswerShown: assert (out_i.answer == st_i.answer);

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    always_comb ReadyShown: assert (out_i.lp[i].req_ready == ((st_i.lp[i].stage == '0) && !clear));
    always_comb DoneShown: assert ({out_i.lp[i].done, out_i.lp[i].l2_hit, out_i.lp[i].l3_hit} == {st_i.lp[i].done,
        st_i.lp[i].l2_hit, st_i.lp[i].l3_hit});
  end

  // What the build does not have is 0.
  for (genvar i = int'(Processors); i < int'(MaxProcessors); i++) begin : gen_no_processor
    always_comb AbsentShown: assert (st_i.lp[i] == '0);
  end
  for (genvar n = int'(Classes); n < int'(MaxClasses); n++) begin : gen_no_class
    always_comb AbsentShown: assert (st_i.classes[n] == '0);
  end
  for (genvar r = int'(Rmids); r < int'(MaxRmids); r++) begin : gen_no_rmid
    always_comb AbsentShown: assert (st_i.rmid[r] == '0);
  end

  // "Functions of the memories and of `show.index` (its lowest log2 bits count). They are 0 while `step` is clear."
  for (genvar w = 0; w < int'(MaxL3Ways); w++) begin : gen_l3
    if (w < int'(L3Ways)) begin : gen_built
      always_comb ShownL3: assert (st_i.show.l3.line[w] == (clear ? '0 : tags_i.l3[st_i.show.index[$clog2(L3Sets)-1:0]][w]));
    end else begin : gen_absent
      always_comb ShownL3: assert ((st_i.show.l3.line[w] == '0) && (st_i.l3.word.line[w] == '0));
    end
  end
  for (genvar w = 0; w < int'(MaxL2Ways); w++) begin : gen_l2
    if (w < int'(L2Ways)) begin : gen_built
      always_comb ShownL2: assert (st_i.show.l2.line[w] == (clear ? '0 : tags_i.l2[st_i.show.index[$clog2(L2Sets)-1:0]][w]));
    end else begin : gen_absent
      always_comb ShownL2: assert ((st_i.show.l2.line[w] == '0) && (st_i.l2.word.line[w] == '0));
    end
  end

endmodule
