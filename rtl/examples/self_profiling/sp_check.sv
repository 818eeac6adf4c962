// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Compares the records with what the core executed. Not for synthesis.
//
// The checker observes the instructions that the core retires (RVFI), the stores of the core, and the writes of the
// unit that reach memory. It does not know the program: it reads the control block from the core's stores when LLWPCB
// is done. An occurrence is an instruction, a branch or a miss of user mode in a session. For each record it checks:
//
//   - the record is in the slot at the previous head, and its four words are in memory before the head that publishes
//     it
//   - it equals one of the core's occurrences, in all bits
//   - the number of occurrences since the last record of its event is the interval, or up to `Late` more, because
//     another record may have been in flight

module sp_check
  import lwp_pkg::*;
  import lwp_state_pkg::*;
#(
  // Occurrences by which a record may be late, because another record was in flight.
  parameter int unsigned Late   = 8,
  // Byte 1 of every record.
  parameter logic [7:0]  CoreId = 8'h2A
) (
  // Clock: all registers change at its rising edge.
  input  logic                clk_i,

  // The core stores in this cycle.
  input  logic                store_i,
  // Address of the store; valid with `store_i`.
  input  logic [63:0]         store_addr_i,
  // Bytes of the aligned 8 that are stored; valid with `store_i`.
  input  logic [7:0]          store_be_i,
  // Data of the store; valid with `store_i`.
  input  logic [63:0]         store_data_i,
  // A write of the unit becomes visible in memory in this cycle.
  input  logic                write_i,
  // Address of the unit's write; valid with `write_i`.
  input  logic [63:0]         write_addr_i,
  // Bytes of the aligned 8 that are written; valid with `write_i`.
  input  logic [7:0]          write_be_i,
  // Data of the unit's write; valid with `write_i`.
  input  logic [63:0]         write_data_i,

  // LLWPCB is done.
  input  logic                llwpcb_i,
  // Linear address of the LWPCB; valid with `llwpcb_i`.
  input  logic [63:0]         block_i,

  // An instruction is presented on RVFI.
  input  logic                rvfi_valid_i,
  // The instruction traps, so it does not retire; valid with `rvfi_valid_i`.
  input  logic                rvfi_trap_i,
  // Instruction word; valid with `rvfi_valid_i`.
  input  logic [31:0]         rvfi_insn_i,
  // Privilege mode, 0 is U-mode; valid with `rvfi_valid_i`.
  input  logic [1:0]          rvfi_mode_i,
  // Address of the instruction; valid with `rvfi_valid_i`.
  input  logic [63:0]         rvfi_pc_rdata_i,
  // Address of the next instruction; valid with `rvfi_valid_i`.
  input  logic [63:0]         rvfi_pc_wdata_i,
  // Address of the memory access; valid if `rvfi_mem_rmask_i` is not 0.
  input  logic [63:0]         rvfi_mem_addr_i,
  // Bytes that are loaded, 0 if the instruction does not load; valid with `rvfi_valid_i`.
  input  logic [7:0]          rvfi_mem_rmask_i,
  // The load missed; valid with `rvfi_valid_i`.
  input  logic                miss_i,
  // Latency of the load in cycles; valid with `miss_i`.
  input  logic [LatencyW-1:0] latency_i,

  // Number of records compared, by EventId.
  output int                  records_o [4]
);

  localparam int Depth = 65536;

  // A record without its last word, which is 0.
  typedef struct packed {
    logic [63:0] addr;
    logic [63:0] ip;
    logic [63:0] first;
  } record_t;

  // Occurrences of each event, their number, and their number when the counter was started.
  record_t     log [4][Depth];
  int          count [4], since [4], interval [4];
  logic        active = 1'b0;
  // Memory as the core's stores and the unit's writes make it.
  logic [63:0] shadow [8192];
  logic [63:0] block, base;
  logic [27:0] size, head;
  logic [3:0]  beats = '0;
  record_t     got;

  function automatic logic [63:0] first(logic [1:0] id, logic [3:0] flags, logic [31:0] data);
    return {data, flags, 12'b0, CoreId, 6'b0, id};
  endfunction

  function automatic void occurs(int id, record_t what);
    log[id][count[id] % Depth] = what;
    count[id]++;
  endfunction

  ////////////////
  // The core's //
  ////////////////

  function automatic void retire();
    logic taken;
    int   byte_offset;
    occurs(1, '{ip: rvfi_pc_rdata_i, addr: '0, first: first(2'd1, '0, '0)});
    if (rvfi_insn_i[6:0] inside {7'h63, 7'h67, 7'h6F}) begin
      // Taken is bit 3, prediction is not known; the address is that of the next instruction.
      taken = rvfi_pc_wdata_i != rvfi_pc_rdata_i + 64'd4;
      occurs(2, '{ip: rvfi_pc_rdata_i, addr: rvfi_pc_wdata_i, first: first(2'd2, {taken, 3'b0}, '0)});
    end
    if (miss_i) begin
      byte_offset = rvfi_mem_rmask_i[0] ? 0 : 4;
      occurs(3, '{ip: rvfi_pc_rdata_i, addr: rvfi_mem_addr_i + 64'(byte_offset),
                  first: first(2'd3, {SourceDram, 1'b1}, 32'(latency_i))});
    end
  endfunction

  // A session begins or ends.
  function automatic void llwpcb();
    logic [12:0] at;
    active = block_i != '0;
    block  = block_i;
    at     = block_i[15:3];
    size   = shadow[at][59:32];
    base   = shadow[at+1];
    head   = shadow[at+2][27:0];
    beats  = '0;
    for (int slot = 0; slot < 4; slot++) begin
      interval[shadow[at+5+13'(slot)][27:26]] = int'(shadow[at+5+13'(slot)][25:0]);
    end
    for (int id = 1; id < 4; id++) since[id] = count[id];
  endfunction

  ////////////////
  // The unit's //
  ////////////////

  function automatic void compare();
    int id, from;
    id = int'(got.first[1:0]);
    if (!(id inside {1, 2, 3})) $fatal(1, "FAIL record of no event: %h", got);
    from = since[id] + interval[id] - 1;
    for (int n = from; (n <= from + int'(Late)) && (n < count[id]); n++) begin
      if (log[id][n % Depth] == got) begin
        records_o[id]++;
        since[id] = -1;  // until the head is written
        return;
      end
    end
    $fatal(1, "FAIL record of event %0d at ip %h, address %h, first word %h: occurrences %0d to %0d have none like it",
           id, got.ip, got.addr, got.first, from, from + int'(Late));
  endfunction

  function automatic void head_moves();
    logic [27:0] next;
    next = (head + 28'd32 == size) ? '0 : head + 28'd32;
    // SLWPCB, and LLWPCB at the end, write the head as it stands.
    if ((write_be_i == 8'h0F) && (write_data_i[31:0] == 32'(head))) return;
    if ((write_be_i != 8'h0F) || (write_data_i[31:0] != 32'(next)) || (beats != 4'hF)) begin
      $fatal(1, "FAIL head: %h, bytes %b, behind %b of the record", write_data_i, write_be_i, beats);
    end
    head  = next;
    beats = '0;
    for (int id = 1; id < 4; id++) if (since[id] < 0) since[id] = count[id];
  endfunction

  function automatic void unit_writes();
    logic [63:0] slot;
    slot = base + 64'(head);
    if (write_addr_i == block + 64'd16) head_moves();
    else if ((write_addr_i & ~64'd31) == slot) begin
      if (write_be_i != 8'hFF) $fatal(1, "FAIL bytes %b of a record", write_be_i);
      beats[write_addr_i[4:3]] = 1'b1;
      unique case (write_addr_i[4:3])
        2'd0: got.first = write_data_i;
        2'd1: got.ip    = write_data_i;
        2'd2: got.addr  = write_data_i;
        2'd3: begin
          if (write_data_i != '0) $fatal(1, "FAIL last word of a record: %h", write_data_i);
          compare();
        end
      endcase
    end else if ((write_addr_i < block) || (write_addr_i >= block + 64'd72)) begin
      $fatal(1, "FAIL the unit writes at %h, neither the block nor the record at head", write_addr_i);
    end
  endfunction

  always @(posedge clk_i) begin
    if (store_i) begin
      for (int b = 0; b < 8; b++) if (store_be_i[b]) shadow[store_addr_i[15:3]][8*b+:8] = store_data_i[8*b+:8];
    end
    if (active && rvfi_valid_i && !rvfi_trap_i && (rvfi_mode_i == 2'd0) && (rvfi_insn_i[6:0] != 7'h0B)) retire();
    if (active && write_i) unit_writes();
    if (llwpcb_i) llwpcb();
  end

endmodule
