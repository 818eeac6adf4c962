// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Queue: records that wait for the system bus or for the debug store, in program order.
//
// Specification: sections 5.1, 5.4, 5.5, 5.6 and 5.9.2. Contract: docs/src/trace/cycle.md, "5. The queue".

module trace_queue
  import trace_pkg::*;
#(
  // Instructions that can retire in a cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 1
) (
  // Clock: all registers change at its rising edge.
  input  logic                        clk_i,
  // Asynchronous reset, active low.
  input  logic                        rst_ni,

  // Strap `db_message`: a #DB makes a record.
  input  logic                        db_message_i,

  // The transfers of this cycle make records.
  input  logic                        tracing_i,
  // The records go to the debug store.
  input  logic                        store_i,
  // The records have the 64-bit format.
  input  logic                        wide_i,
  // The buffer is circular: IA32_DEBUGCTL.BTINT is 0.
  input  logic                        circular_i,
  // Transfers, in program order. What only the stack records does not matter.
  // verilator lint_off UNUSEDSIGNAL
  input  transfer_t [RetireLanes-1:0] transfers_i,
  // verilator lint_on UNUSEDSIGNAL
  // The oldest record leaves the queue.
  input  logic                        remove_i,

  // Registers.
  output queue_t                      queue_o
);

  localparam int unsigned QueueEntries = 2 * RetireLanes;
  localparam int unsigned Places       = QueueEntries + RetireLanes;

  logic [4:0]                 count_d, count_q;
  record_t [QueueEntries-1:0] record_d, record_q;

  // Queue behind the removal, with room for the records of the cycle. No record is appended to a queue without room.
  record_t [Places-1:0] all;
  always_comb begin
    logic [4:0] count;
    all = '0;
    all[QueueEntries-1:0] = record_q;
    count = count_q;
    if (remove_i) begin
      all   = all >> $bits(record_t);
      count = count - 5'd1;
    end
    for (int l = 0; l < int'(RetireLanes); l++) begin
      if (tracing_i && transfers_i[l].valid && (db_message_i || !transfers_i[l].is_debug)) begin
        for (int p = 0; p < int'(Places); p++) begin
          if (count == 5'(p)) begin
            all[p].store     = store_i;
            all[p].wide      = wide_i;
            all[p].circular  = circular_i;
            all[p].predicted = transfers_i[l].predicted;
            all[p].from      = transfers_i[l].from;
            all[p].to        = transfers_i[l].to;
          end
        end
        count = count + 5'd1;
      end
    end
    count_d = count;
  end

  assign record_d = all[QueueEntries-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q  <= '0;
      record_q <= '0;
    end else begin
      count_q  <= count_d;
      record_q <= record_d;
    end
  end

  always_comb begin
    queue_o                          = '0;
    queue_o.count                    = count_q;
    queue_o.record[QueueEntries-1:0] = record_q;
  end

endmodule
