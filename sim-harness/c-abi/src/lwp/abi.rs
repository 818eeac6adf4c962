//! The structs of the header, field by field. There is no padding, so every byte is a field.
//!
//! A test compiles the header and compares every offset and size. What the fields mean is said there, and in the book.

/// `lwp_config_t`: sizes and straps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
#[allow(missing_docs, reason = "the straps, under the names of `lwp_model::lwp::Config`")]
pub struct LwpConfig {
    pub retire_lanes: u8,
    pub event_slots: u8,
    pub latency_bits: u8,
    pub present: u8,
    pub avail_ire: u8,
    pub avail_bre: u8,
    pub avail_dme: u8,
    pub avail_int: u8,
    pub latency_filter: u8,
    pub level_filter: u8,
    pub data_source: u8,
    pub gather_policy: u8,
    pub one_per_instr: u8,
    pub gather_select: u8,
    pub gather_target: u8,
    pub store_timing: u8,
    pub collision: u8,
    pub leave_policy: u8,
    pub fault_policy: u8,
    pub address_policy: u8,
    pub address_gate: u8,
    pub latency_source: u8,
    pub latency_step: u8,
    pub latency_phase: u8,
    pub prediction: u8,
    pub head_flush: u8,
    pub tail_reread: u8,
    pub tail_nth: u8,
    pub interval_source: u8,
    pub missed_mode: u8,
    pub write_on_full: u8,
    pub misaligned: u8,
    pub flush_outside: u8,
    pub v86: u8,
    pub entropy: u8,
    pub irq_delay: u8,
    pub core_id: u8,
    pub reserved: [u8; 3],
    pub lfsr_seed: u32,
}

/// `lwp_load_t`: one load of a retiring instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
#[allow(missing_docs, reason = "the fields of `lwp_model::lwp::Load`")]
pub struct LwpLoad {
    pub addr: u64,
    pub latency: u32,
    pub source: u8,
    pub miss: u8,
    pub addr_valid: u8,
    pub tagged: u8,
}

/// `lwp_lane_t`: one retiring instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
#[allow(missing_docs, reason = "the fields of `lwp_model::lwp::Lane`")]
pub struct LwpLane {
    pub ip: u64,
    pub branch_next: u64,
    pub loads: [LwpLoad; 2],
    pub valid: u8,
    pub counts: u8,
    pub branch_kind: u8,
    pub branch_taken: u8,
    pub branch_pred_valid: u8,
    pub branch_pred_ok: u8,
    pub reserved: [u8; 2],
}

/// Lanes of [`LwpInputs`]: those of the widest build.
pub const MAX_LANES: usize = 8;

/// `lwp_inputs_t`: what the unit sees in one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
#[allow(missing_docs, reason = "the fields of `lwp_model::lwp::Inputs`")]
pub struct LwpInputs {
    pub cpl: u8,
    pub smm: u8,
    pub op_mode: u8,
    pub partial: u8,
    pub alloc_valid: u8,
    pub alloc_entry: u8,
    pub fill_valid: u8,
    pub fill_entry: u8,
    pub fill_source: u8,
    pub replay_abort: u8,
    pub ctl_valid: u8,
    pub ctl_op: u8,
    pub ctl_word: u8,
    pub mem_gnt: u8,
    pub mem_rvalid: u8,
    pub mem_err: u8,
    pub pf_ack: u8,
    pub irq_ack: u8,
    pub reserved: [u8; 6],
    pub entropy: u32,
    pub fill_latency: u32,
    pub fill_ip: u64,
    pub ctl_wdata: u64,
    pub ctl_ds_base: u64,
    pub mem_rdata: u64,
    pub lanes: [LwpLane; MAX_LANES],
}

/// `lwp_outputs_t`: what the unit shows in one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
#[allow(missing_docs, reason = "the fields of `lwp_model::lwp::Outputs`")]
pub struct LwpOutputs {
    pub stall: u8,
    pub cut_valid: u8,
    pub cut_lane: u8,
    pub drain: u8,
    pub flush_req: u8,
    pub addr_track: u8,
    pub rsp_valid: u8,
    pub rsp_fault: u8,
    pub rsp_fault_write: u8,
    pub mem_req: u8,
    pub mem_cmd: u8,
    pub mem_be: u8,
    pub pf_valid: u8,
    pub pf_write: u8,
    pub pf_abort: u8,
    pub irq: u8,
    pub msr0: u32,
    pub reserved: u32,
    pub rsp_rdata: u64,
    pub rsp_fault_addr: u64,
    pub mem_addr: u64,
    pub mem_wdata: u64,
    pub pf_addr: u64,
}
