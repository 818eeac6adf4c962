// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Store: takes one record at a time through the debug store: reads the management area, decides where the record goes,
// writes it, then the index, and for PEBS reads the counter's reset value.
//
// Specification: section 5.9. Contract: docs/src/trace/store.md.

module trace_store
  import retire_pkg::*;
  import trace_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic                clk_i,
  // Asynchronous reset, active low.
  input  logic                rst_ni,

  // Strap `pebs_format`.
  input  logic [1:0]          pebs_format_i,

  // IA32_DS_AREA.
  input  logic [63:0]         area_i,
  // A record waits.
  input  logic                waiting_i,
  // The oldest record; valid with `waiting_i`.
  input  record_t             record_i,
  // Counters whose PEBS record is to be stored.
  input  logic [Counters-1:0] pending_i,
  // These records have the 64-bit format; valid with `pending_i`.
  input  logic                pending_wide_i,
  // Register of the processor that `state_index_o` names.
  input  logic [63:0]         state_value_i,
  // The response of the present step's access is valid.
  input  logic                done_i,
  // Grant and response of memory; the response is valid with `done_i`.
  input  mem_answer_t         mem_i,

  // Access of the present step.
  output store_access_t             access_o,
  // The oldest record has ended.
  output logic                ended_branch_o,
  // Counter whose PEBS record has ended, one-hot; 0 if there is none.
  output logic [Counters-1:0] ended_pebs_o,
  // Number of the processor's register that is asked for.
  output logic [4:0]          state_index_o,
  // Registers.
  output store_t              store_o,
  // Pulses about the debug store.
  output notice_t             notice_o,
  // Counter that is to be set.
  output reload_t             reload_o
);

  // Memory's grant belongs to the port.
  logic unused_grant;
  assign unused_grant = mem_i.mem_gnt ^ mem_i.mem_rvalid;

  store_t  store_d, store_q;
  notice_t notice_d, notice_q;
  reload_t reload_d, reload_q;

  ////////////////////////
  // The present record //
  ////////////////////////

  logic       wide, pebs;
  assign wide = store_q.wide;
  assign pebs = store_q.pebs;

  // Number of the last field of the record, and its size.
  logic [4:0] last_field;
  always_comb begin
    if (!pebs) last_field = 5'd2;
    else if (!wide) last_field = 5'd9;
    else begin
      unique case (pebs_format_i)
        2'd0: last_field = 5'd17;
        2'd1: last_field = 5'd21;
        2'd2: last_field = 5'd23;
        default: last_field = 5'd24;
      endcase
    end
  end

  logic [8:0]  bytes;
  logic [63:0] size;
  assign bytes = wide ? ({4'd0, last_field} + 9'd1) << 3 : ({4'd0, last_field} + 9'd1) << 2;
  assign size  = {55'd0, bytes};

  ///////////
  // Place //
  ///////////

  logic [2:0] low_bits;
  logic       aligned, index_inside, room_at_index, room_at_base;
  assign low_bits      = store_q.base[2:0] | store_q.index[2:0] | store_q.maximum[2:0];
  assign aligned       = (low_bits[1:0] == 2'd0) && (!wide || !low_bits[2]);
  assign index_inside        = (store_q.index >= store_q.base) && (store_q.index <= store_q.maximum);
  assign room_at_index = (store_q.index <= store_q.maximum) && (store_q.maximum - store_q.index >= size);
  assign room_at_base  = (store_q.base <= store_q.maximum) && (store_q.maximum - store_q.base >= size);

  logic fits, fits_at_base;
  assign fits         = aligned && index_inside && room_at_index;
  assign fits_at_base = aligned && index_inside && !room_at_index && store_q.circular && room_at_base;

  // Index behind the record, and whether it reaches the threshold.
  logic [63:0] behind, next;
  logic        room_behind, due;
  assign behind      = store_q.index + size;
  assign room_behind = (behind <= store_q.maximum) && (store_q.maximum - behind >= size);
  assign next        = (store_q.circular && !room_behind) ? store_q.base : behind;
  assign due         = !store_q.circular && (store_q.index < store_q.threshold) && (next >= store_q.threshold);

  ////////////
  // Access //
  ////////////

  logic [63:0] field_value;
  always_comb begin
    if (!pebs) begin
      unique case (store_q.field)
        5'd0: field_value = record_i.from;
        5'd1: field_value = record_i.to;
        default: field_value = {59'd0, record_i.predicted, 4'd0};
      endcase
    end else if (store_q.field == 5'd18) begin
      field_value = 64'd1 << store_q.counter;
    end else begin
      field_value = state_value_i;
    end
  end

  // Offsets of the buffer's fields, and of the reset value, in the management area.
  logic [6:0] buffer, offset;
  assign buffer = !pebs ? 7'h00 : wide ? 7'h20 : 7'h10;

  logic [63:0] value;
  always_comb begin
    offset         = 7'h00;
    value          = '0;
    access_o.valid = 1'b1;
    access_o.write = 1'b0;
    unique case (store_q.step)
      StepBase: offset = buffer;
      StepIndex: offset = buffer + 7'h08;
      StepMaximum: offset = buffer + (wide ? 7'h10 : 7'h08);
      StepThreshold: offset = buffer + 7'h18;
      StepRecord: begin
        value          = field_value;
        access_o.write = 1'b1;
      end
      StepPublish: begin
        offset         = buffer + (wide ? 7'h08 : 7'h04);
        value          = next;
        access_o.write = 1'b1;
      end
      StepReset: offset = wide ? 7'h40 + {2'd0, store_q.counter, 3'd0} : 7'h20;
      default: access_o.valid = 1'b0;
    endcase
  end

  logic [63:0] field_addr;
  assign field_addr    = store_q.index + (wide ? {56'd0, store_q.field, 3'd0} : {57'd0, store_q.field, 2'd0});
  assign access_o.addr = (store_q.step == StepRecord) ? field_addr : area_i + {57'd0, offset};

  // Writes of the 32-bit format are of 4 bytes; its reads are of two fields.
  always_comb begin
    access_o.be    = 8'hFF;
    access_o.wdata = value;
    if (access_o.write && !wide) begin
      access_o.be    = access_o.addr[2] ? 8'hF0 : 8'h0F;
      access_o.wdata = access_o.addr[2] ? {value[31:0], 32'd0} : {32'd0, value[31:0]};
    end
  end

  //////////
  // Step //
  //////////

  logic begins_branch, begins_pebs, misplaced;
  assign begins_branch = (store_q.step == StepIdle) && waiting_i && record_i.store;
  assign begins_pebs   = (store_q.step == StepIdle) && !waiting_i && (pending_i != '0);
  assign misplaced     = area_i[2:0] != 3'd0;

  logic [1:0] lowest;
  always_comb begin
    lowest = 2'd3;
    for (int c = int'(Counters) - 1; c >= 0; c--) begin
      if (pending_i[c]) lowest = 2'(c);
    end
  end

  logic [63:0] low, high;
  assign low  = wide ? mem_i.mem_rdata : {32'd0, mem_i.mem_rdata[31:0]};
  assign high = {32'd0, mem_i.mem_rdata[63:32]};

  logic ended;
  always_comb begin
    store_d  = store_q;
    notice_d = '0;
    reload_d = '0;
    ended    = 1'b0;
    if (begins_branch || begins_pebs) begin
      if (misplaced) begin
        notice_d.lost = 1'b1;
        ended         = 1'b1;
      end else begin
        store_d.step     = StepBase;
        store_d.pebs     = begins_pebs;
        store_d.wide     = begins_pebs ? pending_wide_i : record_i.wide;
        store_d.circular = begins_branch && record_i.circular;
        store_d.counter  = begins_pebs ? lowest : 2'd0;
      end
    end else if (store_q.step == StepPlace) begin
      if (fits || fits_at_base) begin
        store_d.step = StepRecord;
        if (fits_at_base) store_d.index = store_q.base;
      end else begin
        notice_d.lost = 1'b1;
        store_d.step  = StepReset;
        ended         = !pebs;
      end
    end else if (done_i && mem_i.mem_err) begin
      notice_d.lost = store_q.step != StepReset;
      ended         = 1'b1;
    end else if (done_i) begin
      unique case (store_q.step)
        StepBase: begin
          store_d.base = low;
          store_d.step = wide ? StepIndex : StepMaximum;
          if (!wide) store_d.index = high;
        end
        StepIndex: begin
          store_d.index = low;
          store_d.step  = StepMaximum;
        end
        StepMaximum: begin
          store_d.maximum = low;
          store_d.step    = wide ? StepThreshold : StepPlace;
          if (!wide) store_d.threshold = high;
        end
        StepThreshold: begin
          store_d.threshold = low;
          store_d.step      = StepPlace;
        end
        StepRecord: begin
          if (store_q.field == last_field) begin
            store_d.field = '0;
            store_d.step  = StepPublish;
          end else begin
            store_d.field = store_q.field + 5'd1;
          end
        end
        StepPublish: begin
          notice_d.stored = 1'b1;
          notice_d.ds_pmi = due;
          store_d.step    = StepReset;
          ended           = !pebs;
        end
        default: begin
          reload_d.reload_valid   = 1'b1;
          reload_d.reload_counter = store_q.counter;
          reload_d.reload_value   = mem_i.mem_rdata;
          ended                   = 1'b1;
        end
      endcase
    end
    if (ended) store_d = '0;
  end

  // A record that ends at once has never been the present one.
  logic       ended_is_pebs;
  logic [1:0] ended_counter;
  assign ended_is_pebs  = (store_q.step == StepIdle) ? begins_pebs : pebs;
  assign ended_counter  = (store_q.step == StepIdle) ? lowest : store_q.counter;
  assign ended_branch_o = ended && !ended_is_pebs;
  assign ended_pebs_o   = (ended && ended_is_pebs) ? Counters'(1) << ended_counter : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      store_q  <= '0;
      notice_q <= '0;
      reload_q <= '0;
    end else begin
      store_q  <= store_d;
      notice_q <= notice_d;
      reload_q <= reload_d;
    end
  end

  assign state_index_o = pebs ? store_q.field : 5'd0;
  assign store_o       = store_q;
  assign notice_o      = notice_q;
  assign reload_o      = reload_q;

endmodule
