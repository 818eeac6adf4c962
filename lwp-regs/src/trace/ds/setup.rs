//! Setting a debug-store area up, in the manual's order.
#![allow(unsafe_code)] // lets the processor write memory

use super::{BtsMode, DsArea, DsError, DsPart, DsPlan, DsStore, DsView, RecordBuffer, RunningDs};
use crate::access::MsrBus;
use crate::delivery::{Gate, GateKind, GateWord, Idt, LocalApic, LvtPerformance};
use crate::refused::Refused;
use crate::trace::DebugCtl;
use core::fmt;
use core::marker::PhantomData;

/// After step 1: the management area is in memory.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Placed {}
/// After step 2: `IA32_DS_AREA` points at it.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Pointed {}
/// After step 3: the local APIC has the vector, masked.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Routed {}
/// After steps 4 and 5: the vector has its handler, and the interrupt can come.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Handled {}

/// A debug-store area being set up. Each step of the manual is a method of the state that the step before it gives, so
/// that they cannot be taken in another order:
///
/// | step | method |
/// |---|---|
/// | 1. create the buffer management information | [`DsPlan::place`] |
/// | 2. write its address to `IA32_DS_AREA` | [`point`](DsSetup::point) |
/// | 3. set up the LVT entry: fixed, edge | [`route`](DsSetup::route) |
/// | 4. establish the handler in the IDT | [`install`](DsSetup::install) or [`installed`](DsSetup::installed) |
/// | 5. write the service routine | the handler, with [`RunningDs::interrupt`] |
/// | set TR and BTS, and BTINT as wanted | [`start`](DsSetup::start) |
///
/// Source: Intel SDM volume 3B, "Setting Up the DS Save Area" and "Setting Up the BTS Buffer". The entry of step 3
/// stays masked until there is a handler, which the manual does not ask for.
#[derive(Debug)]
pub struct DsSetup<'a, Step> {
    store: DsStore<'a>,
    vector: u8,
    step: PhantomData<Step>,
}

/// Why the interrupt could not be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetupError<F> {
    /// The vector is not for this.
    Vector(Refused),
    /// The vector's gate is not present, or is not an interrupt gate.
    Gate(GateWord),
    /// The access faulted.
    Fault(F),
}

impl<F: fmt::Display> fmt::Display for SetupError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vector(refused) => refused.fmt(f),
            Self::Gate(gate) => write!(
                f,
                "gate {:#x}: the vector needs a present interrupt gate; a trap gate lets interrupts nest forever",
                gate.into_bits()
            ),
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

impl<F: fmt::Debug + fmt::Display> core::error::Error for SetupError<F> {}

fn other_memory(part: DsPart, address: u64) -> DsError {
    DsError::OtherMemory { part, address }
}

/// Whether `buffer` is the memory that the plan was made for.
fn same(part: DsPart, planned: &super::DsBuffer, used: bool, buffer: Option<&RecordBuffer<'_>>) -> Result<(), DsError> {
    match (used, buffer) {
        (false, None) => Ok(()),
        (true, Some(buffer)) if buffer.address() == planned.base && buffer.bytes() as u64 >= planned.bytes() => Ok(()),
        (_, buffer) => Err(other_memory(part, buffer.map_or(0, RecordBuffer::address))),
    }
}

impl DsPlan {
    /// Step 1: puts the management area into `view`. The buffers have to be those that were checked; the BTS buffer is
    /// zeroed, so that a circular one shows how far it got.
    ///
    /// # Errors
    ///
    /// [`DsError::OtherMemory`] when a view is not at the address and of the size that the plan was made for.
    pub fn place<'a>(
        self,
        mut view: DsView<'a>,
        bts: Option<RecordBuffer<'a>>,
        pebs: Option<RecordBuffer<'a>>,
    ) -> Result<DsSetup<'a, Placed>, DsError> {
        if view.address() != self.address || view.format() != self.format {
            return Err(other_memory(DsPart::Management, view.address()));
        }
        same(DsPart::Bts, &self.image.bts, self.bts.is_some(), bts.as_ref())?;
        same(DsPart::Pebs, &self.image.pebs, self.pebs_record_bytes.is_some(), pebs.as_ref())?;
        view.place(&self.image);
        let mut store = DsStore { view, plan: self, bts, pebs };
        store.clear_branches();
        Ok(DsSetup { store, vector: 0, step: PhantomData })
    }
}

impl<'a, Step> DsSetup<'a, Step> {
    fn next<Next>(self) -> DsSetup<'a, Next> {
        DsSetup { store: self.store, vector: self.vector, step: PhantomData }
    }

    /// The area and its records, which the processor does not use now.
    #[inline]
    pub const fn store(&mut self) -> &mut DsStore<'a> {
        &mut self.store
    }
}

impl<'a> DsSetup<'a, Placed> {
    /// Step 2: writes the area's address to `IA32_DS_AREA` of this processor.
    ///
    /// # Safety
    ///
    /// As for [`DsArea::write`].
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub unsafe fn point<B: MsrBus>(self, bus: &mut B) -> Result<DsSetup<'a, Pointed>, B::Fault> {
        let area = DsArea::new().with_address(self.store.plan.address);
        // SAFETY: the caller vouches for the area.
        unsafe { area.write(bus) }?;
        Ok(self.next())
    }
}

impl<'a> DsSetup<'a, Pointed> {
    /// Steps 3 to 5 of an area that never interrupts: a circular BTS buffer without PEBS needs no vector, gate and handler.
    ///
    /// # Errors
    ///
    /// The set-up itself if its plan asks for interrupts.
    #[allow(clippy::result_large_err, reason = "the setup comes back unchanged, and there is no allocator to box it")]
    pub fn without_interrupt(self) -> Result<DsSetup<'a, Handled>, Self> {
        let plan = self.store.plan();
        match (plan.bts, plan.pebs_record_bytes) {
            (None | Some(BtsMode::Circular), None) => Ok(self.next()),
            _ => Err(self),
        }
    }

    /// Step 3: gives the local APIC's entry for performance counters this vector, fixed delivery, edge triggered, and
    /// masked until step 4.
    ///
    /// # Errors
    ///
    /// [`SetupError`] when the vector is one of the processor's exceptions, or the access faulted.
    pub fn route<A: LocalApic>(
        mut self,
        apic: &mut A,
        vector: u8,
    ) -> Result<DsSetup<'a, Routed>, SetupError<A::Fault>> {
        let entry = LvtPerformance::fixed(vector).map_err(SetupError::Vector)?;
        apic.set_lvt_performance(entry.masked()).map_err(SetupError::Fault)?;
        self.vector = vector;
        Ok(self.next())
    }
}

impl<'a> DsSetup<'a, Routed> {
    /// Step 4: sets the vector's gate to `handler`, an interrupt gate, and lets the interrupt through. The handler,
    /// step 5, calls [`RunningDs::interrupt`].
    ///
    /// # Safety
    ///
    /// As for [`Idt::set_intr_gate`].
    ///
    /// # Errors
    ///
    /// The fault that an access to the local APIC raised.
    pub unsafe fn install<G: Gate, A: LocalApic>(
        self,
        idt: &mut Idt<'_, G>,
        handler: G::Address,
        apic: &mut A,
    ) -> Result<DsSetup<'a, Handled>, A::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { idt.set_intr_gate(self.vector, handler) };
        self.unmask(apic)
    }

    /// Step 4 where the system has set the vector's gate itself: checks it, and lets the interrupt through.
    ///
    /// # Errors
    ///
    /// [`SetupError::Gate`] when the gate is not present or is not an interrupt gate, or the fault that an access to
    /// the local APIC raised.
    pub fn installed<A: LocalApic>(
        self,
        gate: GateWord,
        apic: &mut A,
    ) -> Result<DsSetup<'a, Handled>, SetupError<A::Fault>> {
        if !gate.present() || gate.kind() != GateKind::Interrupt {
            return Err(SetupError::Gate(gate));
        }
        self.unmask(apic).map_err(SetupError::Fault)
    }

    fn unmask<A: LocalApic>(self, apic: &mut A) -> Result<DsSetup<'a, Handled>, A::Fault> {
        let entry = apic.lvt_performance()?;
        apic.set_lvt_performance(entry.unmasked())?;
        Ok(self.next())
    }
}

impl<'a> DsSetup<'a, Handled> {
    /// Starts: sets TR and BTS in `IA32_DEBUGCTL` if there is a BTS buffer, and BTINT unless that is circular. The
    /// other bits stay; `BTS_OFF_OS` and `BTS_OFF_USR` choose whose branches are stored. Counters that are to store
    /// PEBS records are enabled afterwards, with [`PebsEnable::write`](super::PebsEnable::write).
    ///
    /// # Safety
    ///
    /// As for [`DebugCtl::write`], until [`RunningDs::stop`] has returned without a fault.
    ///
    /// # Errors
    ///
    /// The fault that an access raised; nothing is stored then.
    pub unsafe fn start<B: MsrBus>(self, bus: &mut B) -> Result<RunningDs<'a>, B::Fault> {
        if let Some(mode) = self.store.plan.bts {
            let debugctl = DebugCtl::MSR.read(bus)?;
            let btint = matches!(mode, BtsMode::InterruptAfter(_));
            // SAFETY: the caller vouches for the area.
            unsafe { debugctl.with_tr(true).with_bts(true).with_btint(btint).write(bus) }?;
        }
        Ok(RunningDs::new(self))
    }

    #[inline]
    pub(super) const fn store_ref(&self) -> &DsStore<'a> {
        &self.store
    }
}
