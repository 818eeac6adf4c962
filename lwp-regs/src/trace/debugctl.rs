//! IA32_DEBUGCTL: branch records, branch trace messages and what a performance interrupt freezes.
#![allow(unsafe_code)] // one write of this register makes the processor write memory

use super::DebugCtlCaps;
use crate::access::{GeneralProtection, MsrBus};
use crate::refused::{Refused, Rule};

layout! {
    /// `IA32_DEBUGCTL`: what the processor records of branches, interrupts and exceptions, and where it puts it. Reset
    /// value 0: nothing.
    ///
    /// Which bits there are depends on the processor ([`DebugCtlCaps`]); setting another one faults. A debug exception
    /// clears `lbr` and `btf` and leaves `tr` and `bts` alone.
    ///
    /// With `tr` and `bts` the processor writes records to the memory that [`DsArea`](super::DsArea) points at, which is
    /// why such a value is written by an `unsafe` function: [`write`](Self::write). Everything else is safe:
    /// [`UntracedDebugCtl::write`] and [`modify`](Self::modify).
    ///
    /// Source: Intel SDM volume 3B, "IA32_DEBUGCTL MSR"; positions and availability: volume 3C, "Architectural MSRs", Table
    /// 35-2. Bit 2: this project's list of registers, from Linux' `msr-index.h`.
    #[doc(alias = "0x1D9")]
    #[doc(alias = "IA32_DEBUGCTL")]
    #[doc(alias = "MSR_DEBUGCTLA")]
    pub struct DebugCtl: u64, Fault {
        /// Last branch records: branches, interrupts and exceptions go to the LBR stack.
        #[inline]
        pub lbr: bool,
        /// Branch trap: EFLAGS.TF steps from branch to branch instead of from instruction to instruction.
        #[inline]
        pub btf: bool,
        /// Bus-lock detection: a bus lock at privilege level 3 raises #DB. Newer processors only.
        #[inline]
        pub bus_lock_detect: bool,
        #[bits(3)]
        __: u64,
        /// Trace messages: each branch, interrupt and exception makes a branch trace message.
        #[inline]
        pub tr: bool,
        /// Branch trace store: the messages are stored in the BTS buffer instead of being sent on the system bus.
        #[inline]
        pub bts: bool,
        /// Branch trace interrupt: the BTS buffer interrupts at its threshold; 0 makes it circular.
        #[inline]
        pub btint: bool,
        /// No branch trace messages at privilege level 0.
        #[inline]
        pub bts_off_os: bool,
        /// No branch trace messages above privilege level 0.
        #[inline]
        pub bts_off_usr: bool,
        /// A performance interrupt freezes the LBR stack.
        #[inline]
        pub freeze_lbrs_on_pmi: bool,
        /// A performance interrupt freezes the performance counters.
        #[inline]
        pub freeze_perfmon_on_pmi: bool,
        /// This processor receives the uncore's performance interrupts.
        #[inline]
        pub enable_uncore_pmi: bool,
        /// Counters and traces stand still in system-management mode.
        #[inline]
        pub freeze_while_smm: bool,
        /// Debugging inside transactional regions, if DR7.RTM is 1 too.
        #[inline]
        pub rtm: bool,
        #[bits(48)]
        __: u64,
    }
    msr "IA32_DEBUGCTL" = 0x1D9, unsafe_write, caps = DebugCtlCaps;
}

/// Where branch trace messages go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum TraceSink {
    /// There are none.
    Nowhere,
    /// To the system bus, where a debug tool sees them.
    SystemBus,
    /// To the BTS buffer in memory.
    Buffer,
}

impl DebugCtl {
    /// Value after reset: everything is off.
    pub const RESET: Self = Self::new();
    /// The bits that make trace messages, of which one value stores them in memory.
    const TRACE: Self = Self::new().with_tr(true).with_bts(true);

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with the bits that are reserved or, if there are none, with those of the first
    /// feature that the processor lacks.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &DebugCtlCaps) -> Result<Self, GeneralProtection> {
        match caps.refusal(Self::from_bits(new)) {
            None => Ok(Self::from_bits(new)),
            Some(refused) => Err(GeneralProtection::Refused(refused)),
        }
    }

    /// Where branch trace messages go. They are never sent and stored at once: `bts` chooses.
    #[must_use]
    #[inline]
    pub const fn trace_sink(self) -> TraceSink {
        match (self.tr(), self.bts()) {
            (false, _) => TraceSink::Nowhere,
            (true, false) => TraceSink::SystemBus,
            (true, true) => TraceSink::Buffer,
        }
    }

    /// Whether a branch at privilege level `cpl` makes a trace message.
    #[must_use]
    #[inline]
    pub const fn traces_at(self, cpl: u8) -> bool {
        self.tr() && if cpl == 0 { !self.bts_off_os() } else { !self.bts_off_usr() }
    }

    /// What a debug exception leaves: LBR and BTF are 0. TR stays.
    ///
    /// Source: Intel SDM volume 3B, "Monitoring Branches, Exceptions, and Interrupts" and "Single-Stepping on Branches".
    #[must_use]
    #[inline]
    pub const fn after_debug_exception(self) -> Self {
        self.with_lbr(false).with_btf(false)
    }

    /// What a performance interrupt leaves: with FREEZE_LBRS_ON_PMI, LBR is 0. Before version 4 of architectural performance monitoring.
    ///
    /// Source: as [`FreezeOnPmi`](super::FreezeOnPmi).
    #[must_use]
    #[inline]
    pub const fn after_pmi(self) -> Self {
        self.with_lbr(self.lbr() && !self.freeze_lbrs_on_pmi())
    }

    /// What an SMI leaves with FREEZE_WHILE_SMM: LBR, BTF, TR and BTS are 0. RSM restores what they were.
    ///
    /// Source: Intel SDM volume 3B, "IA32_DEBUGCTL MSR", FREEZE_WHILE_SMM.
    #[must_use]
    #[inline]
    pub const fn in_smm(self) -> Self {
        if self.freeze_while_smm() { self.with_lbr(false).with_btf(false).with_tr(false).with_bts(false) } else { self }
    }

    /// Writes the register, whatever the value.
    ///
    /// # Safety
    ///
    /// If `tr` and `bts` are set, the debug-store area that `IA32_DS_AREA` points at and the buffer it describes belong
    /// to the processor until they are cleared: they stay mapped, present, accessed and dirty, at the same address in
    /// every address space, and Rust code looks at them only through [`DsView`](super::DsView) and
    /// [`RecordBuffer`](super::RecordBuffer). [`DsBuilder`](super::DsBuilder) checks such an area.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the register keeps its content then.
    pub unsafe fn write<B: MsrBus>(self, bus: &mut B) -> Result<(), B::Fault> {
        // SAFETY: the caller vouches for the memory that branch records go to.
        unsafe { bus.wrmsr(Self::ADDRESS, self.into_bits()) }
    }

    /// Reads the register, clears the bits of `clear`, sets those of `set`, and writes it back. Gives what it was.
    ///
    /// # Errors
    ///
    /// The fault that one of the accesses raised; the register keeps its content then.
    pub fn modify<B: MsrBus>(bus: &mut B, clear: Self, set: UntracedDebugCtl) -> Result<Self, B::Fault> {
        let old = Self::MSR.read(bus)?;
        let new = old.into_bits() & !clear.into_bits() | set.get().into_bits();
        // SAFETY: neither TR nor BTS becomes 1 by this, so the processor stores no records that it did not store
        // before.
        unsafe { bus.wrmsr(Self::ADDRESS, new) }?;
        Ok(old)
    }
}

/// A content of [`DebugCtl`] without branch trace messages: TR and BTS are 0, so that the processor writes no memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UntracedDebugCtl(DebugCtl);

impl UntracedDebugCtl {
    /// All bits 0.
    pub const OFF: Self = Self(DebugCtl::new());

    /// Checks that there are no trace messages.
    ///
    /// # Errors
    ///
    /// [`Refused`] with the bits of TR and BTS that are set.
    #[inline]
    pub const fn new(value: DebugCtl) -> Result<Self, Refused> {
        match value.into_bits() & DebugCtl::TRACE.into_bits() {
            0 => Ok(Self(value)),
            bits => Err(Refused::new(
                "IA32_DEBUGCTL",
                bits,
                Rule::Forbidden("branch records go to memory; only DebugCtl::write, which is unsafe, sets TR and BTS"),
            )),
        }
    }

    /// The value with TR and BTS cleared.
    #[must_use]
    #[inline]
    pub const fn without_trace(value: DebugCtl) -> Self {
        Self(DebugCtl::from_bits(value.into_bits() & !DebugCtl::TRACE.into_bits()))
    }

    /// The value.
    #[must_use]
    #[inline]
    pub const fn get(self) -> DebugCtl {
        self.0
    }

    /// Writes the register.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the register keeps its content then.
    pub fn write<B: MsrBus>(self, bus: &mut B) -> Result<(), B::Fault> {
        // SAFETY: without TR and BTS no branch record is stored.
        unsafe { bus.wrmsr(DebugCtl::ADDRESS, self.0.into_bits()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::bus::{Access, Recorder};

    // DCTL-02, DCTL-03
    #[test]
    fn address_and_positions() {
        assert_eq!(DebugCtl::ADDRESS, 0x1D9);
        assert_eq!(DebugCtl::RESET.into_bits(), 0);
        let ctl = DebugCtl::new;
        assert_eq!(ctl().with_lbr(true).into_bits(), 0x0001);
        assert_eq!(ctl().with_btf(true).into_bits(), 0x0002);
        assert_eq!(ctl().with_bus_lock_detect(true).into_bits(), 0x0004);
        assert_eq!(ctl().with_tr(true).into_bits(), 0x0040);
        assert_eq!(ctl().with_bts(true).into_bits(), 0x0080);
        assert_eq!(ctl().with_btint(true).into_bits(), 0x0100);
        assert_eq!(ctl().with_bts_off_os(true).into_bits(), 0x0200);
        assert_eq!(ctl().with_bts_off_usr(true).into_bits(), 0x0400);
        assert_eq!(ctl().with_freeze_lbrs_on_pmi(true).into_bits(), 0x0800);
        assert_eq!(ctl().with_freeze_perfmon_on_pmi(true).into_bits(), 0x1000);
        assert_eq!(ctl().with_enable_uncore_pmi(true).into_bits(), 0x2000);
        assert_eq!(ctl().with_freeze_while_smm(true).into_bits(), 0x4000);
        assert_eq!(ctl().with_rtm(true).into_bits(), 0x8000);
        assert_eq!(DebugCtl::RESERVED, 0xFFFF_FFFF_FFFF_0038);
    }

    // DCTL-16, DCTL-17, DCTL-19: a debug exception clears LBR and BTF; DCTL-11: a frozen stack; DCTL-13: in SMM
    #[test]
    fn what_exceptions_and_interrupts_leave() {
        let of = DebugCtl::from_bits;
        assert_eq!(of(0x7C3).after_debug_exception(), of(0x7C0));
        assert_eq!((of(0x841).after_pmi(), of(0x41).after_pmi()), (of(0x840), of(0x41)));
        assert_eq!((of(0x41C3).in_smm(), of(0x1C3).in_smm()), (of(0x4100), of(0x1C3)));
    }

    // DCTL-03: the reserved mask depends on the processor; BTS-38: nothing but the value decides about the sink
    #[test]
    fn reserved_bits_fault_before_missing_features() {
        let none = DebugCtlCaps::default();
        let write = |new, caps| DebugCtl::check_write(DebugCtl::RESET, new, caps);
        assert_eq!(write(0x3, &none).map(DebugCtl::into_bits), Ok(0x3), "LBR and BTF are always there");
        let lacks = |bits, feature| Err(GeneralProtection::refused("IA32_DEBUGCTL", bits, Rule::NotAvailable(feature)));
        assert_eq!(write(0x4, &none), lacks(0x4, "bus-lock detection"));
        assert_eq!(write(0x1C0, &none), lacks(0x1C0, "the debug store"));
        assert_eq!(write(0x600, &none), lacks(0x600, "CPL-qualified branch tracing"));
        assert_eq!(write(0x1801, &none), lacks(0x1800, "freezing on a performance interrupt"));
        assert_eq!(write(0x2000, &none), lacks(0x2000, "uncore performance interrupts"));
        assert_eq!(write(0x4000, &none), lacks(0x4000, "freezing while in SMM"));
        assert_eq!(write(0x8000, &none), lacks(0x8000, "RTM"));
        let reserved = |bits| Err(GeneralProtection::refused("IA32_DEBUGCTL", bits, Rule::MustBeZero));
        assert_eq!(write(0x8008, &none), reserved(0x8));
        assert_eq!(write(1 << 63 | 0x31, &DebugCtlCaps::ALL), reserved(1 << 63 | 0x30));
        assert_eq!(write(0xFFC7, &DebugCtlCaps::ALL).map(DebugCtl::into_bits), Ok(0xFFC7));
    }

    // BTS-38, BTS-39: the truth table; no value sends and stores
    #[test]
    fn messages_are_sent_or_stored() {
        let sink = |bits| DebugCtl::from_bits(bits).trace_sink();
        assert_eq!(sink(0x000), TraceSink::Nowhere);
        assert_eq!(sink(0x080), TraceSink::Nowhere, "TR generates them");
        assert_eq!(sink(0x040), TraceSink::SystemBus);
        assert_eq!(sink(0x0C0), TraceSink::Buffer);
    }

    // DCTL-09, DCTL-10, DCTL-21
    #[test]
    fn tracing_by_privilege_level() {
        let traces = |bits| [0, 1, 2, 3].map(|cpl| DebugCtl::from_bits(bits).traces_at(cpl));
        assert_eq!(traces(0x040), [true; 4]);
        assert_eq!(traces(0x240), [false, true, true, true]);
        assert_eq!(traces(0x440), [true, false, false, false]);
        assert_eq!(traces(0x640), [false; 4]);
        assert_eq!(traces(0x000), [false; 4]);
    }

    #[test]
    fn safe_writes_cannot_begin_to_store() {
        for bits in [0x40, 0x80, 0xC0] {
            let refused = UntracedDebugCtl::new(DebugCtl::from_bits(bits | 1)).unwrap_err();
            assert_eq!((refused.register, refused.bits), ("IA32_DEBUGCTL", bits));
            assert_eq!(UntracedDebugCtl::without_trace(DebugCtl::from_bits(bits | 1)).get().into_bits(), 1);
        }
        let mut bus = Recorder::new([(0x1D9, 0x00C1)]);
        UntracedDebugCtl::new(DebugCtl::new().with_btf(true)).unwrap().write(&mut bus).unwrap();
        assert_eq!(bus.writes(), [(0x1D9, 0x2)]);
    }

    #[test]
    fn modify_keeps_the_rest_and_tells_what_it_was() {
        let mut bus = Recorder::new([(0x1D9, 0x8000_0000_0000_00C1)]);
        let btf = UntracedDebugCtl::new(DebugCtl::new().with_btf(true)).unwrap();
        let old = DebugCtl::modify(&mut bus, DebugCtl::new().with_lbr(true), btf).unwrap();
        assert_eq!(old.into_bits(), 0x8000_0000_0000_00C1);
        assert_eq!(bus.log(), [Access::Read(0x1D9), Access::Write(0x1D9, 0x8000_0000_0000_00C2)]);
    }
}
