//! What the fake unit can do wrong, and what the documents leave to it.

use super::super::around::Random;

/// Declares the bugs and a list of them.
macro_rules! bugs {
    ($($(#[$meta:meta])* $bug:ident,)+) => {
        /// Something that a wrong unit does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Bug {
            /// Nothing: the unit is right.
            None,
            $($(#[$meta])* $bug,)+
        }

        /// All bugs.
        pub(super) const BUGS: &[Bug] = &[$(Bug::$bug,)+];
    };
}

bugs! {
    /// Frozen counters count.
    FreezeIgnored,
    /// An overflow freezes a cycle late.
    FreezeLate,
    /// An overflow does not freeze.
    NoFreeze,
    /// The freeze leaves the event address registers on.
    FreezeLeavesEars,
    /// Another overflow bit is set.
    OtherOverflowBit,
    /// A write of PMC\[0\] only clears bits.
    OverflowNotWritten,
    /// plm is reversed.
    LevelsReversed,
    /// plm is not looked at.
    LevelIgnored,
    /// User monitors need PSR.pp.
    UserNeedsPp,
    /// System monitors need PSR.up.
    SystemNeedsUp,
    /// pm is not looked at: either bit of the PSR enables.
    EitherEnables,
    /// ism is not looked at.
    SetIgnored,
    /// The strap `ism_order` is not looked at.
    OrderIgnored,
    /// The strap `freeze_always` is not looked at.
    AlwaysIgnored,
    /// The strap `up_on_interruption` is not looked at.
    UpIgnored,
    /// PMC\[13\].ta is inverted.
    TagAllInverted,
    /// The range check happens when the bundle is issued.
    RangeAtIssue,
    /// The range is not checked for the tag of PMC\[9\].
    Pmc9WithoutRange,
    /// Only the first pair of IBRs is compared.
    OneRange,
    /// Bits 3:0 of addresses of code are compared.
    LowBits,
    /// Bits 63:56 of addresses are masked.
    HighBits,
    /// Mask bits of 1 are ignored bits.
    MaskInverted,
    /// IBR.plm is not looked at.
    RangeOfAllLevels,
    /// IBR.plm is compared with the level of retirement's cycle.
    RangeLevelAtIssue,
    /// Mask bits of 1 of opcode matchers have to match.
    OpcodeMaskInverted,
    /// Bit 12 of the encoding is not compared.
    OpcodeWithoutBit12,
    /// Bit 27 of the encoding is not compared.
    OpcodeWithoutBit27,
    /// The kind of slot is not looked at.
    AnyKind,
    /// m and i are exchanged.
    KindsExchanged,
    /// The opcodes are matched with PMC\[8\] for both tags.
    OneMatcher,
    /// Downstream events need both tags.
    BothTags,
    /// Downstream events are not tagged.
    Untagged,
    /// Opcodes matter for IA-32 code.
    TaggedIa32,
    /// PMC\[11\].pt is not looked at: data are never checked.
    DataUnchecked,
    /// Events that are not of memory need a data range.
    DataForAll,
    /// The data range check needs r or w.
    DataNeedsFlags,
    /// Thresholds are reached, not exceeded.
    ThresholdReached,
    /// Events above a threshold are all added.
    ThresholdAddsAll,
    /// The threshold of PMC\[6\] and PMC\[7\] has three bits.
    ThresholdWide,
    /// Only one record of a cycle counts.
    OneRecord,
    /// Only one slot of a bundle counts.
    OneSlot,
    /// Instructions whose predicate is 0 do not retire.
    NotSquashed,
    /// Branches that are not taken count as taken.
    AllTaken,
    /// What retires in a cycle with an interruption counts.
    RetireInInterruption,
    /// Memory records in a cycle with an interruption do not count.
    NoRecordInInterruption,
    /// Slot 3 of a record is no slot.
    SlotThree,
    /// All four bits of the number of an entry count.
    LongId,
    /// Counters have 31 bits.
    Narrow,
    /// An overflow needs a count of exactly 0.
    OverflowAtZero,
    /// Every overflow requests an interrupt.
    InterruptAlways,
    /// There are no interrupts.
    NoInterrupt,
    /// An acknowledgement is lost.
    NoAcknowledgement,
    /// An acknowledgement takes a new interrupt with it.
    AcknowledgesNew,
    /// Interrupts end when the freeze bit is cleared.
    InterruptOfFreeze,
    /// Pins pulse without ev.
    PinAlways,
    /// Pins stay.
    PinStays,
    /// PMD\[i\] reads as 32 bits.
    ZeroExtended,
    /// A write of a PMD is added.
    WriteAdds,
    /// PSR.sp hides nothing.
    NotSecured,
    /// PSR.sp hides counts from level 0.
    SecuredFromAll,
    /// Counts of system monitors can be read by all.
    SystemReadable,
    /// PMCs can be read at all levels.
    ReadPmcAtAll,
    /// Registers can be written at level 1.
    WriteAtOne,
    /// The PSR can be changed at level 3.
    PsrAtThree,
    /// There are eight pairs of breakpoint registers.
    MoreBreakpoints,
    /// PMCs that do not exist fault.
    PmcFaults,
    /// An index has seven bits.
    ShortIndex,
    /// File 5 is file 1.
    FileFive,
    /// Ignored bits are kept.
    IgnoredKept,
    /// PMC\[12\].bac does not exist.
    NoBac,
    /// sum acts although PSR.sp is 1.
    SumSecured,
    /// mov psr.um acts although PSR.sp is 1.
    MoveSecured,
    /// sum is privileged.
    SumPrivileged,
    /// rum sets.
    RumSets,
    /// ssm does not change PSR.up.
    SsmWithoutUp,
    /// rfi keeps PSR.sp.
    RfiWithoutSp,
    /// mov psr.l is ssm.
    MoveOrs,
    /// An interruption keeps PSR.pp.
    PpKept,
    /// An interruption keeps PSR.sp.
    SpKept,
    /// A request in a cycle with an interruption is done.
    RequestInInterruption,
    /// Refused requests show the register.
    RefusedShows,
    /// `iear_on` goes by PMC\[11\].
    EarsExchanged,
    /// The branch trace buffer is on for IA-32 code.
    BranchesOfIa32,
    /// ism does not matter to the event address registers.
    EarsOfBoth,
}

/// What the documents leave to a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// A read shows the events of its cycle.
    pub(super) late: bool,
    /// An overflow without oi sets its bit.
    pub(super) bit_without_oi: bool,
    /// A semaphore instruction is two references.
    pub(super) twice: bool,
    /// IBRs with x are ranges.
    pub(super) breakpoints: bool,
    /// DBR.plm matters.
    pub(super) data_level: bool,
    /// The data range check applies to IA-32 code.
    pub(super) data_of_ia32: bool,
    /// An overflow wins over a write of PMC\[0\] in its cycle.
    pub(super) overflow_wins: bool,
    /// Clearing the freeze bit requests an interrupt for overflow bits.
    pub(super) again: bool,
    /// Long instructions are of type I.
    pub(super) long_is_i: bool,
    /// Events that are not defined happen in every cycle.
    pub(super) others: bool,
    /// What registers hold after reset.
    pub(super) reset: u64,
}

impl Choice {
    pub(super) fn new(random: &mut Random) -> Self {
        let mut yes = || random.one_of(2);
        Self {
            late: yes(),
            bit_without_oi: yes(),
            twice: yes(),
            breakpoints: yes(),
            data_level: yes(),
            data_of_ia32: yes(),
            overflow_wins: yes(),
            again: yes(),
            long_is_i: yes(),
            others: yes(),
            reset: if yes() { 0 } else { random.word() },
        }
    }
}
