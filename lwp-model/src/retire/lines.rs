//! The lines of each part in the table of a row.

/// The fields of a part, for [`flat_table!`](crate::flat::flat_table): names and widths of the contract.
///
/// A table has them by one line: `part branch "branch." = lane.branch`. The string stands before each name.
macro_rules! part_lines {
    (retired $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to [$p "valid"]: 1 = $v.valid, [$p "counts"]: 1 = $v.counts, [$p "ip"]: 64 = $v.ip }
    };
    (length $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to [$p "length"]: 4 = $v }
    };
    (branch $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to
            [$p "branch_kind"]: 4 = $v.kind,
            [$p "branch_taken"]: 1 = $v.taken,
            [$p "branch_pred_valid"]: 1 = $v.pred_valid,
            [$p "branch_pred_ok"]: 1 = $v.pred_ok,
            [$p "branch_next"]: 64 = $v.next
        }
    };
    (loads $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to
            [$p "[0].miss"]: 1 = $v[0].miss,
            [$p "[0].addr_valid"]: 1 = $v[0].addr_valid,
            [$p "[0].tagged"]: 1 = $v[0].tagged,
            [$p "[0].addr"]: 64 = $v[0].addr,
            [$p "[0].latency"]: 31 = $v[0].latency,
            [$p "[0].source"]: 3 = $v[0].source,
            [$p "[1].miss"]: 1 = $v[1].miss,
            [$p "[1].addr_valid"]: 1 = $v[1].addr_valid,
            [$p "[1].tagged"]: 1 = $v[1].tagged,
            [$p "[1].addr"]: 64 = $v[1].addr,
            [$p "[1].latency"]: 31 = $v[1].latency,
            [$p "[1].source"]: 3 = $v[1].source
        }
    };
    (accesses $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to
            [$p "[0].read"]: 1 = $v[0].read,
            [$p "[0].write"]: 1 = $v[0].write,
            [$p "[0].addr"]: 64 = $v[0].addr,
            [$p "[0].size"]: 7 = $v[0].size,
            [$p "[1].read"]: 1 = $v[1].read,
            [$p "[1].write"]: 1 = $v[1].write,
            [$p "[1].addr"]: 64 = $v[1].addr,
            [$p "[1].size"]: 7 = $v[1].size
        }
    };
    (flags $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to [$p "tf"]: 1 = $v.tf, [$p "ss_load"]: 1 = $v.ss_load, [$p "rep"]: 2 = $v.rep }
    };
    (transaction $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to [$p "in_tx"]: 1 = $v.in_tx, [$p "tx_abort"]: 1 = $v.tx_abort }
    };
    (partial $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to [$p "partial"]: 1 = $v }
    };
    (io $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to
            [$p "io_valid"]: 1 = $v.valid, [$p "io_write"]: 1 = $v.write, [$p "io_port"]: 16 = $v.port, [$p "io_size"]: 3 = $v.size
        }
    };
    (mode $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to [$p "cpl"]: 2 = $v.cpl, [$p "smm"]: 1 = $v.smm, [$p "op_mode"]: 3 = $v.op_mode }
    };
    (cs_base $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to [$p "cs_base"]: 64 = $v }
    };
    (interruption $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to
            [$p "int_valid"]: 1 = $v.valid,
            [$p "int_kind"]: 3 = $v.kind,
            [$p "int_vector"]: 8 = $v.vector,
            [$p "int_from"]: 64 = $v.from,
            [$p "int_to"]: 64 = $v.to
        }
    };
    (processor $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to
            [$p "halted"]: 1 = $v.halted,
            [$p "stpclk"]: 1 = $v.stpclk,
            [$p "dpslp"]: 1 = $v.dpslp,
            [$p "bus_tick"]: 1 = $v.bus_tick,
            [$p "crystal_tick"]: 1 = $v.crystal_tick,
            [$p "core_ratio"]: 8 = $v.core_ratio
        }
    };
    (control $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to [$p "tsd"]: 1 = $v.tsd, [$p "de"]: 1 = $v.de, [$p "pce"]: 1 = $v.pce }
    };
    (reg_request $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to
            [$p "reg_valid"]: 1 = $v.valid,
            [$p "reg_op"]: 4 = $v.op,
            [$p "reg_lp"]: 3 = $v.lp,
            [$p "reg_number"]: 32 = $v.number,
            [$p "reg_wdata"]: 64 = $v.wdata
        }
    };
    (reg_answer $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to
            [$p "reg_done"]: 1 = $v.done, [$p "reg_result"]: 3 = $v.result, [$p "reg_rdata"]: 64 = $v.rdata
        }
    };
    (mem_request $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to
            [$p "mem_req"]: 1 = $v.req,
            [$p "mem_cmd"]: 2 = $v.cmd,
            [$p "mem_be"]: 8 = $v.be,
            [$p "mem_addr"]: 64 = $v.addr,
            [$p "mem_wdata"]: 64 = $v.wdata
        }
    };
    (mem_answer $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to
            [$p "mem_gnt"]: 1 = $v.gnt,
            [$p "mem_rvalid"]: 1 = $v.rvalid,
            [$p "mem_err"]: 1 = $v.err,
            [$p "mem_rdata"]: 64 = $v.rdata
        }
    };
    (irq $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to [$p "irq"]: 1 = $v }
    };
    (irq_ack $p:literal $v:expr, $to:tt) => {
        $crate::flat::flat_table! { @part $to [$p "irq_ack"]: 1 = $v }
    };
}

pub(crate) use part_lines;

#[cfg(test)]
mod tests;
