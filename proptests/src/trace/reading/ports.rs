//! The ports of the unit, with the names and the order of its ports page.

/// Straps. A strap with several values counts them from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Straps {
    /// 0 to 3: the LBR stack has 4, 8, 16 or 32 entries.
    pub lbr_depth: u8,
    /// 0 `offset32`, 1 `linear`, 2 `effective`, 3 `flags`, 4 `tsx`, 5 `info`.
    pub lbr_format: u8,
    /// 0 `core`, 1 `nehalem`.
    pub lbr_numbers: u8,
    /// Whether TR with LBR = 0 updates the stack.
    pub lbr_tr: bool,
    /// Whether the debug store exists.
    pub ds: bool,
    /// Whether BTS_OFF_OS and BTS_OFF_USR exist.
    pub ds_cpl: bool,
    /// Whether the debug store has its 64-bit format in every mode.
    pub dtes64: bool,
    /// Whether the two freezes by a performance interrupt exist.
    pub pmi_freeze: bool,
    /// Whether FREEZE_WHILE_SMM exists.
    pub smm_freeze: bool,
    /// Whether restricted transactional memory exists.
    pub rtm: bool,
    /// Number of counters that can store PEBS records, 0 to 4.
    pub pebs_counters: u8,
    /// 0 to 3: a PEBS record has 18, 22, 24 or 25 fields.
    pub pebs_format: u8,
    /// 0 `bits32`, 1 `bits48`, 2 `bits57`.
    pub linear: u8,
    /// Whether a #DB makes a trace message.
    pub db_message: bool,
}

impl Default for Straps {
    fn default() -> Self {
        Self {
            lbr_depth: 0,
            lbr_format: 3,
            lbr_numbers: 1,
            lbr_tr: false,
            ds: true,
            ds_cpl: true,
            dtes64: true,
            pmi_freeze: true,
            smm_freeze: true,
            rtm: true,
            pebs_counters: 4,
            pebs_format: 0,
            linear: 1,
            db_message: true,
        }
    }
}

impl Straps {
    /// Returns the number of entries of the stack.
    pub(super) fn depth(&self) -> usize {
        4 << (self.lbr_depth & 3)
    }

    /// Returns the number of bits of a linear address.
    pub(super) fn width(&self) -> u32 {
        match self.linear {
            0 => 32,
            1 => 48,
            _ => 57,
        }
    }

    /// Whether an address is canonical, or below 2^32 where a linear address has 32 bits.
    pub(super) fn canonical(&self, address: u64) -> bool {
        if self.linear == 0 {
            return address >> 32 == 0;
        }
        let shift = 64 - self.width();
        (address << shift).cast_signed() >> shift == address.cast_signed()
    }

    /// Returns the number of fields of a PEBS record of the 64-bit format.
    pub(super) fn pebs_fields(&self) -> usize {
        [18, 22, 24, 25][usize::from(self.pebs_format & 3)]
    }

    /// Returns the bits of IA32_DEBUGCTL that exist.
    pub(super) fn debugctl(&self) -> u64 {
        let mut bits = 0b11;
        for (exists, mask) in [
            (self.ds, 0x1C0),
            (self.ds_cpl, 0x600),
            (self.pmi_freeze, 0x1800),
            (self.smm_freeze, 0x4000),
            (self.rtm, 0x8000),
        ] {
            if exists {
                bits |= mask;
            }
        }
        bits
    }
}

/// One lane of the retired instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneIn {
    /// An instruction retires in this lane.
    pub valid: bool,
    /// It counts as a retired instruction.
    pub counts: bool,
    /// Address of its first byte.
    pub ip: u64,
    /// 0 none, 1 to 6 near branches, 7 to 9 far branches, 10 and above system branches.
    pub branch_kind: u8,
    /// The transfer was taken.
    pub branch_taken: bool,
    /// `branch_pred_ok` is known.
    pub branch_pred_valid: bool,
    /// The branch was predicted correctly.
    pub branch_pred_ok: bool,
    /// Address of the instruction that is executed next.
    pub branch_next: u64,
    /// The instruction retired inside an RTM region.
    pub in_tx: bool,
    /// The region was aborted.
    pub tx_abort: bool,
}

/// The inputs of a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortsIn {
    /// The lanes show no branch.
    pub partial: bool,
    /// The lanes, as many as can retire.
    pub lanes: Vec<LaneIn>,
    /// Current privilege level.
    pub cpl: u8,
    /// In System Management Mode.
    pub smm: bool,
    /// 0 real, 1 virtual-8086, 2 protected, 3 compatibility, 4 64-bit.
    pub op_mode: u8,
    /// Base of CS.
    pub cs_base: u64,
    /// Base of CS behind a far transfer.
    pub far_base: u64,
    /// The processor is in 64-bit mode behind a far transfer.
    pub far_long: bool,
    /// An interruption is delivered.
    pub int_valid: bool,
    /// 0 interrupt, 1 exception, 2 NMI, 3 SMI, 4 RSM.
    pub int_kind: u8,
    /// Vector of an interrupt or exception.
    pub int_vector: u8,
    /// Address of the instruction before which it is taken.
    pub int_from: u64,
    /// Address of the first instruction that is executed afterwards.
    pub int_to: u64,
    /// A period of the core's clock begins.
    pub core_clock: bool,
    /// A performance interrupt was asked for.
    pub pmi: bool,
    /// Bit n: counter n overflowed.
    pub pebs_overflow: u8,
    /// Bit n: the event of counter n occurred.
    pub pebs_event: u8,
    /// The register that `state_index` names.
    pub state_value: u64,
    /// The system bus takes the message.
    pub btm_ready: bool,
    /// The memory request is taken.
    pub mem_gnt: bool,
    /// The response is valid.
    pub mem_rvalid: bool,
    /// The access page-faulted.
    pub mem_err: bool,
    /// Data of a read.
    pub mem_rdata: u64,
    /// A register request is made.
    pub reg_valid: bool,
    /// 0 RDMSR, 1 WRMSR.
    pub reg_op: u8,
    /// Logical processor that asks.
    pub reg_lp: u8,
    /// Number of the register.
    pub reg_number: u32,
    /// Data of WRMSR.
    pub reg_wdata: u64,
}

impl PortsIn {
    /// Returns the privilege level: 0 in real mode, 3 in virtual-8086 mode.
    pub(super) fn level(&self) -> u8 {
        match self.op_mode & 7 {
            0 => 0,
            1 => 3,
            _ => self.cpl & 3,
        }
    }

    /// Whether the processor is in 64-bit mode.
    pub(super) fn long(&self) -> bool {
        self.op_mode == 4
    }

    /// Whether the processor is in IA-32e mode.
    pub(super) fn ia32e(&self) -> bool {
        self.op_mode == 3 || self.op_mode == 4
    }

    /// Whether an instruction is shown in a lane.
    pub(super) fn retires(&self) -> bool {
        !self.partial && !self.int_valid && self.lanes.iter().any(|lane| lane.valid)
    }
}

/// The outputs of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortsOut {
    /// Nothing retires and nothing is delivered.
    pub stall: bool,
    /// A branch trace message is pending.
    pub btm_valid: bool,
    /// Source.
    pub btm_from: u64,
    /// Destination.
    pub btm_to: u64,
    /// The branch was predicted correctly.
    pub btm_predicted: bool,
    /// A memory request is pending.
    pub mem_req: bool,
    /// 0 read, 1 write.
    pub mem_cmd: u8,
    /// Bytes that are meant.
    pub mem_be: u8,
    /// Address of the aligned 8 bytes.
    pub mem_addr: u64,
    /// Data of a write.
    pub mem_wdata: u64,
    /// A buffer has reached its threshold.
    pub ds_pmi: bool,
    /// A record is in memory and its index is written.
    pub stored: bool,
    /// A record was dropped.
    pub lost: bool,
    /// Bit n: the next event of counter n stores a record.
    pub pebs_armed: u8,
    /// Number of the processor's register that `state_value` shows.
    pub state_index: u8,
    /// A counter is to be set.
    pub reload_valid: bool,
    /// Number of that counter.
    pub reload_counter: u8,
    /// Its value.
    pub reload_value: u64,
    /// IA32_DEBUGCTL, bit 1.
    pub btf: bool,
    /// IA32_DEBUGCTL, bit 12.
    pub freeze_on_pmi: bool,
    /// IA32_DEBUGCTL, bit 14.
    pub freeze_while_smm: bool,
    /// IA32_DEBUGCTL, bit 15.
    pub rtm_debug: bool,
    /// A register request can be accepted.
    pub reg_ready: bool,
    /// The answer is valid.
    pub reg_done: bool,
    /// 0 done, 2 #GP(0), 4 not mine.
    pub reg_result: u8,
    /// Data of RDMSR.
    pub reg_rdata: u64,
}
