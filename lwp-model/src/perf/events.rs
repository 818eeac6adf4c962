//! The event bus: what the core reports in a cycle. The order is that of the page "Events" of the book, and of the RTL's
//! `events_t`.

use crate::Choice;
use crate::choice::choice;
use core::fmt;

/// Bits of a number on the bus.
const NUMBER_BITS: usize = 4;

/// Declares the lines of the bus, numbers and levels: name of the accessor, name of the line, meaning.
macro_rules! bus {
    (numbers { $($number:ident $number_line:ident $number_doc:literal;)+ }
     levels { $($level:ident $level_line:ident $level_doc:literal;)+ }) => {
        /// A line of the bus.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Line {
            $(#[doc = $number_doc] $number_line,)+
            $(#[doc = $level_doc] $level_line,)+
        }

        choice!(Line {
            $($number_line = stringify!($number),)+
            $($level_line = stringify!($level),)+
        });

        /// Lines that are numbers: the first ones.
        const NUMBERS: usize = [$(stringify!($number)),+].len();
        /// Lines that are levels.
        const LEVELS: usize = [$(stringify!($level)),+].len();

        impl Events {
            $(#[doc = $number_doc]
            #[inline]
            #[must_use]
            pub const fn $number(&self) -> u8 {
                self.line(Line::$number_line)
            })+
            $(#[doc = $level_doc]
            #[inline]
            #[must_use]
            pub const fn $level(&self) -> bool {
                self.line(Line::$level_line) != 0
            })+
        }
    };
}

/// Words of the bus.
const WORDS: usize = (NUMBER_BITS * NUMBERS + LEVELS).div_ceil(32);

/// The event bus of one logical processor. A number says how often the event occurred in the cycle, or how many things are outstanding
/// in it, 0 to 15; a level whether the condition holds. By default all lines are 0.
///
/// The lines are bits of words, in their order and as in a row: four of a number, one of a level. So a row of inputs is read by the word,
/// and a counter reads its line with a shift and a mask.
///
/// ```
/// use lwp_model::perf::{Events, Line};
///
/// let events = Events::default().with(Line::DataMemRefs, 3).with(Line::DivBusy, 1);
/// assert_eq!((events.data_mem_refs(), events.line(Line::DataMemRefs)), (3, 3));
/// assert!(events.div_busy() && !events.sb_drains());
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Events {
    pub(super) words: [u32; WORDS],
}

impl Line {
    /// Whether the line is a level, and not a number.
    #[inline]
    #[must_use]
    pub const fn is_level(self) -> bool {
        self as usize >= NUMBERS
    }

    /// The place of the line's bits: the word, and the lowest bit in it. No line reaches into another word.
    #[inline]
    pub(super) const fn place(self) -> (usize, u32) {
        let line = self as usize;
        let bit = if self.is_level() { NUMBER_BITS * NUMBERS + (line - NUMBERS) } else { NUMBER_BITS * line };
        (bit / 32, (bit % 32) as u32)
    }

    /// Ones in the bits of the line, from bit 0 on.
    #[inline]
    pub(super) const fn mask(self) -> u32 {
        if self.is_level() { 1 } else { (1 << NUMBER_BITS) - 1 }
    }
}

impl Events {
    /// The number of the line; of a level 1 or 0.
    #[inline]
    #[must_use]
    pub const fn line(&self, line: Line) -> u8 {
        let (word, shift) = line.place();
        (self.words[word] >> shift & line.mask()) as u8
    }

    /// Sets a line: a number to the low four bits of `value`, a level to whether `value` is not 0.
    #[inline]
    pub const fn set(&mut self, line: Line, value: u8) {
        let (word, shift) = line.place();
        let value = if line.is_level() { (value != 0) as u32 } else { value as u32 & line.mask() };
        self.words[word] = (self.words[word] & !(line.mask() << shift)) + (value << shift);
    }

    /// The bits from bit `shift` of a word on: those of up to four neighbouring lines are below bit 16, also if they reach into the
    /// next word.
    #[inline]
    pub(super) fn bits_from(&self, word: usize, shift: u32) -> u32 {
        let bits = |index: usize| u64::from(self.words.get(index).copied().unwrap_or(0));
        (((bits(word + 1) << 32) + bits(word)) >> (shift & 31)) as u32
    }

    /// The same bus with a line [set](Self::set) to `value`.
    #[inline]
    #[must_use]
    pub const fn with(mut self, line: Line, value: u8) -> Self {
        self.set(line, value);
        self
    }
}

/// The lines that are not 0, by their names.
impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = f.debug_struct("Events");
        for line in Line::ALL.iter().filter(|line| self.line(**line) != 0) {
            lines.field(line.name(), &self.line(*line));
        }
        lines.finish()
    }
}

bus! {
    numbers {
        data_mem_refs DataMemRefs "Loads and stores that are performed, of any memory type. Each part of a split access, each internal retry and both halves of an 80-bit floating-point access count. No I/O.";
        dcu_lines_in DcuLinesIn "Lines allocated in the data cache (DCU).";
        dcu_m_lines_in DcuMLinesIn "Lines allocated in the DCU in state M.";
        dcu_m_lines_out DcuMLinesOut "Lines in state M that leave the DCU: by snoop, intervention or replacement.";
        dcu_miss_outstanding DcuMissOutstanding "DCU misses outstanding in this cycle: cacheable requests, read-for-ownership included. 2 cycles less for an access that also misses the L2.";
        ifu_ifetch IfuIfetch "Instruction fetches, cacheable or not.";
        ifu_ifetch_miss IfuIfetchMiss "Instruction fetches that produce a memory request.";
        itlb_miss ItlbMiss "Misses of the instruction TLB.";
        l2_ifetch_i L2IfetchI "Instruction fetches that the L2 received, L2-cacheable, line found Invalid (a miss).";
        l2_ifetch_s L2IfetchS "Instruction fetches that the L2 received, L2-cacheable, line found Shared.";
        l2_ifetch_e L2IfetchE "Instruction fetches that the L2 received, L2-cacheable, line found Exclusive.";
        l2_ifetch_m L2IfetchM "Instruction fetches that the L2 received, L2-cacheable, line found Modified.";
        l2_ld_i L2LdI "Unlocked data loads that the L2 received, L2-cacheable, line found Invalid (a miss).";
        l2_ld_s L2LdS "Unlocked data loads that the L2 received, L2-cacheable, line found Shared.";
        l2_ld_e L2LdE "Unlocked data loads that the L2 received, L2-cacheable, line found Exclusive.";
        l2_ld_m L2LdM "Unlocked data loads that the L2 received, L2-cacheable, line found Modified.";
        l2_st_i L2StI "Unlocked data stores that the L2 received, L2-cacheable, line found Invalid (a miss).";
        l2_st_s L2StS "Unlocked data stores that the L2 received, L2-cacheable, line found Shared.";
        l2_st_e L2StE "Unlocked data stores that the L2 received, L2-cacheable, line found Exclusive.";
        l2_st_m L2StM "Unlocked data stores that the L2 received, L2-cacheable, line found Modified.";
        l2_rqsts_i L2RqstsI "Requests to the L2 of any kind, line found Invalid (a miss).";
        l2_rqsts_s L2RqstsS "Requests to the L2 of any kind, line found Shared.";
        l2_rqsts_e L2RqstsE "Requests to the L2 of any kind, line found Exclusive.";
        l2_rqsts_m L2RqstsM "Requests to the L2 of any kind, line found Modified.";
        l2_lines_in L2LinesIn "Lines allocated in the L2.";
        l2_lines_out L2LinesOut "Lines removed from the L2 for any reason.";
        l2_m_lines_inm L2MLinesInm "Modified lines allocated in the L2.";
        l2_m_lines_outm L2MLinesOutm "Modified lines removed from the L2 for any reason.";
        l2_ads L2Ads "Address strobes of the L2.";
        bus_req_outstanding BusReqOutstanding "Cacheable full-line reads of the DCU outstanding on the bus in this cycle.";
        bus_brd_self BusBrdSelf "Burst reads of this processor.";
        bus_brd_any BusBrdAny "Burst reads of any agent, this processor included.";
        bus_rfo_self BusRfoSelf "Completed reads for ownership of this processor.";
        bus_rfo_any BusRfoAny "Completed reads for ownership of any agent, this processor included.";
        bus_wb_self BusWbSelf "Completed write-backs of this processor.";
        bus_wb_any BusWbAny "Completed write-backs of any agent, this processor included.";
        bus_ifetch_self BusIfetchSelf "Completed instruction fetches of this processor.";
        bus_ifetch_any BusIfetchAny "Completed instruction fetches of any agent, this processor included.";
        bus_inval_self BusInvalSelf "Completed invalidates of this processor.";
        bus_inval_any BusInvalAny "Completed invalidates of any agent, this processor included.";
        bus_pwr_self BusPwrSelf "Completed partial writes of this processor.";
        bus_pwr_any BusPwrAny "Completed partial writes of any agent, this processor included.";
        bus_p_self BusPSelf "Completed partial transactions of this processor.";
        bus_p_any BusPAny "Completed partial transactions of any agent, this processor included.";
        bus_io_self BusIoSelf "Completed I/O transactions of this processor.";
        bus_io_any BusIoAny "Completed I/O transactions of any agent, this processor included.";
        bus_def_self BusDefSelf "Completed deferred transactions of this processor.";
        bus_def_any BusDefAny "Completed deferred transactions of any agent, this processor included.";
        bus_burst_self BusBurstSelf "Completed burst transactions of this processor.";
        bus_burst_any BusBurstAny "Completed burst transactions of any agent, this processor included.";
        bus_all_self BusAllSelf "Completed transactions, special cycles included, of this processor.";
        bus_all_any BusAllAny "Completed transactions, special cycles included, of any agent, this processor included.";
        bus_mem_self BusMemSelf "Completed memory transactions of this processor.";
        bus_mem_any BusMemAny "Completed memory transactions of any agent, this processor included.";
        flops Flops "Computational floating-point operations retired. Inner operations of transcendentals and those of the assist handler count, those that trap or need an assist do not, nor do loads and stores.";
        fp_comp_ops_exe FpCompOpsExe "Computational operations executed: FADD, FSUB, FCOM, FMUL, FDIV, FPREM, FSQRT, integer MUL, IMUL, DIV, IDIV; speculative ones included.";
        fp_assist FpAssist "Floating-point exception cases that microcode handles, speculative ones included.";
        mul Mul "Multiplies, integer and floating-point, speculative ones included.";
        div Div "Divides, integer and floating-point, speculative ones included.";
        ld_blocks LdBlocks "Loads delayed by a store in the store buffer.";
        kni_pref_dispatched_nta KniPrefDispatchedNta "PREFETCHNTA dispatched, speculative ones included.";
        kni_pref_dispatched_t1 KniPrefDispatchedT1 "PREFETCHT1 dispatched, speculative ones included.";
        kni_pref_dispatched_t2 KniPrefDispatchedT2 "PREFETCHT2 dispatched, speculative ones included.";
        kni_pref_dispatched_weak KniPrefDispatchedWeak "Weakly ordered stores dispatched, speculative ones included.";
        kni_pref_miss_nta KniPrefMissNta "PREFETCHNTA that miss all caches.";
        kni_pref_miss_t1 KniPrefMissT1 "PREFETCHT1 that miss all caches.";
        kni_pref_miss_t2 KniPrefMissT2 "PREFETCHT2 that miss all caches.";
        kni_pref_miss_weak KniPrefMissWeak "Weakly ordered stores that miss all caches.";
        uops_retired UopsRetired "Micro-operations retired.";
        inst_decoded InstDecoded "Instructions decoded, speculative ones included.";
        kni_retired KniRetired "SSE instructions retired, packed and scalar.";
        kni_retired_scalar KniRetiredScalar "SSE instructions retired, scalar ones.";
        kni_comp_retired KniCompRetired "SSE computation instructions retired, packed and scalar.";
        kni_comp_retired_scalar KniCompRetiredScalar "SSE computation instructions retired, scalar ones.";
        br_decoded BrDecoded "Branches decoded, speculative ones included.";
        btb_misses BtbMisses "Branches for which the BTB gave no prediction.";
        br_bogus BrBogus "Bogus branches.";
        baclears Baclears "Assertions of BACLEAR: static predictions because the BTB had none.";
        partial_rat_stalls PartialRatStalls "Partial stalls, flag stalls included. The core chooses whether it shows cycles or events.";
        segment_reg_loads SegmentRegLoads "Loads of a segment register.";
        mmx_exec MmxExec "MMX instructions executed, without MOVQ and MOVD stores.";
        mmx_sat_exec MmxSatExec "MMX saturating instructions executed.";
        mmx_uops_exec MmxUopsExec "MMX micro-operations executed.";
        mmx_type_mul MmxTypeMul "MMX packed multiplies executed.";
        mmx_type_shift MmxTypeShift "MMX packed shifts executed.";
        mmx_type_pack MmxTypePack "MMX packs executed.";
        mmx_type_unpack MmxTypeUnpack "MMX unpacks executed.";
        mmx_type_logical MmxTypeLogical "MMX packed logical operations executed.";
        mmx_type_arith MmxTypeArith "MMX packed arithmetic operations executed.";
        mmx_to_fp MmxToFp "Transitions from MMX to floating-point instructions.";
        fp_to_mmx FpToMmx "Transitions from floating-point to MMX instructions.";
        mmx_assist MmxAssist "EMMS instructions executed.";
        mmx_retired MmxRetired "MMX instructions retired.";
        seg_rename_stalls_es SegRenameStallsEs "Stalls of the renaming of ES.";
        seg_rename_stalls_ds SegRenameStallsDs "Stalls of the renaming of DS.";
        seg_rename_stalls_fs SegRenameStallsFs "Stalls of the renaming of FS.";
        seg_rename_stalls_gs SegRenameStallsGs "Stalls of the renaming of GS.";
        seg_renames_es SegRenamesEs "Renames of ES.";
        seg_renames_ds SegRenamesDs "Renames of DS.";
        seg_renames_fs SegRenamesFs "Renames of FS.";
        seg_renames_gs SegRenamesGs "Renames of GS.";
        ret_seg_renames RetSegRenames "Renames of segment registers retired.";
        llc_references LlcReferences "References to the last-level cache.";
        llc_misses LlcMisses "Misses of the last-level cache.";
    }
    levels {
        ifu_mem_stall IfuMemStall "Instruction fetch is stalled for any reason.";
        ild_stall IldStall "The instruction length decoder is stalled.";
        l2_dbus_busy L2DbusBusy "The data bus of the L2 is busy.";
        l2_dbus_busy_rd L2DbusBusyRd "The data bus of the L2 carries read data to the processor.";
        bus_drdy_self BusDrdySelf "This processor drives DRDY#.";
        bus_drdy_any BusDrdyAny "Any agent drives DRDY#.";
        bus_lock_self BusLockSelf "LOCK# is asserted by this processor.";
        bus_lock_any BusLockAny "LOCK# is asserted by any agent.";
        bus_data_rcv BusDataRcv "This processor receives data from the bus.";
        bus_bnr_drv BusBnrDrv "This processor drives BNR#.";
        bus_hit_drv BusHitDrv "This processor drives HIT#; snoop stalls included.";
        bus_hitm_drv BusHitmDrv "This processor drives HITM#; snoop stalls included.";
        bus_snoop_stall BusSnoopStall "The bus is snoop stalled.";
        div_busy DivBusy "The divider cannot take a new divide, speculative ones included.";
        sb_drains SbDrains "The store buffer drains.";
        misalign_mem_ref MisalignMemRef "The load or the store pipeline dispatches a micro-operation that crosses a 64-bit boundary, its first or its second half; blocked, squashed, missed and speculative ones included.";
        resource_stalls ResourceStalls "A stall for lack of a resource: of entries of the renaming or the memory buffer; also of retirement that the recovery from a misprediction delays, and of a synchronising operation that drains the store buffer. Not for a full bus queue or too many misses.";
        int_masked IntMasked "Interrupts are disabled.";
        int_pending_and_masked IntPendingAndMasked "Interrupts are disabled and one is pending.";
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, NUMBER_BITS};
    use crate::Choice;

    #[test]
    fn lines_follow_each_other() {
        let mut bit = 0;
        for &line in Line::ALL {
            assert_eq!(line.place(), (bit / 32, (bit % 32) as u32), "{line:?}");
            bit += if line.is_level() { 1 } else { NUMBER_BITS };
        }
    }
}
