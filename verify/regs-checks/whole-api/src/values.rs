//! Values that the list of the API does not tell how to make: of types with parameters, and of those that only a closure,
//! an `unsafe` function or a chain of steps makes.

use crate::by_hand::{Bus, Sure};
use crate::{Draw, below, draw, draw_surely};
use lwp_regs::access::{DebugFault, TockMsr};
use lwp_regs::bits::{OutOfRange, U4};
use lwp_regs::debug::{Dr, Dr7, WriteWatch};
use lwp_regs::delivery::{Gate64, Idt, X2Apic};
use lwp_regs::drivers::{ContextSwitch, DsBuilder, Frozen, LbrStack, P6Counters, SelectFirst};
use lwp_regs::fake::FakeMsrs;
use lwp_regs::itanium::{Pmc, Pmc0, Saved, Unsaved};
use lwp_regs::lwp::{EdxLayout, EventBuffer, EventId, LwpCaps, Lwpcb, LwpcbBuilder, ThresholdHandler};
use lwp_regs::msr::Msr;
use lwp_regs::perf::OverflowHandler;
use lwp_regs::perf::architectural::{CounterIndex, Ia32FixedCtrCtrl, Ia32PerfEvtSel};
use lwp_regs::perf::p6::event::Event as P6Event;
use lwp_regs::perf::p6::overflow::{LvtInitialised, OverflowSetup, StubInstalled, VectorProvided};
use lwp_regs::perf::p6::{EmulatedRdpmc, PmcDevice, Runs, runs};
use lwp_regs::perf::virtual_counter::perfctr::InterruptCounts;
use lwp_regs::perf::virtual_counter::{
    AmdCounters, ArchitecturalCounters, Control, NoSelect, P6FamilyCounters, Role, TaskCounters, Thread, TscOnly,
};
use lwp_regs::rdt::{AllocationCaps, Capacity, CapacityMask, CatCaps, Configured, L2, L3, MaskIndex, MonitoringCaps};
use lwp_regs::trace::{
    AmdLbrRecords, ArchLbrRecords, BtsMode, DsFormat, DsMemory, DsPlan, DsView, LbrRecords, LbrStill, Page,
    PageAttributes, RecordBuffer, Region,
};

/// Values by an expression, which may leave by `?`.
macro_rules! values {
    ($([$($generics:tt)*] $ty:ty = $value:expr;)+) => {$(
        impl<$($generics)*> Draw for $ty {
            fn draw() -> Option<Self> {
                Some($value)
            }
        }
    )+};
}

fn leak<T>(value: T) -> &'static mut T {
    Box::leak(Box::new(value))
}

type Select = Ia32PerfEvtSel;

values! {
    [] NoSelect = NoSelect;
    [] L2 = L2;
    [] L3 = L3;
    [] CatCaps<L2> = CatCaps::<L2>::from_cpuid(L2, draw()?).on(draw()?);
    [] CatCaps<L3> = CatCaps::<L3>::from_cpuid(L3, draw()?).on(draw()?);
    [] CapacityMask<L2> = draw::<CatCaps<L2>>()?.capacity(1 << below(16)).ok()?;
    [] CapacityMask<L3> = draw::<CatCaps<L3>>()?.capacity(1 << below(16)).ok()?;
    [] MaskIndex<L2> = draw::<CatCaps<L2>>()?.index(draw()?).ok()?;
    [] MaskIndex<L3> = draw::<CatCaps<L3>>()?.index(draw()?).ok()?;
    [] Configured<L3> = draw::<CatCaps<L3>>()?.configure(&mut Bus, &[]).ok()?;
    [] Capacity<L3> = Capacity::Unified(draw()?);
    [] MonitoringCaps = MonitoringCaps::from_cpuid(draw()?, draw_surely).on(draw()?);
    [] AllocationCaps = AllocationCaps::from_cpuid(draw()?, |_| draw_surely());

    [R] Msr<R> = {
        // SAFETY: no machine is behind the bus of these calls.
        unsafe { Msr::at(draw()?) }
    };
    [] TockMsr<Ia32FixedCtrCtrl, Sure> = Ia32FixedCtrCtrl::MSR.tock(Sure);
    [] Dr<Dr7> = Dr7::DR;
    [] Pmc<Pmc0> = Pmc0::PMC;
    [] OutOfRange = U4::try_from(16 + below(200) as u8).err()?;
    [] OverflowHandler = {
        // SAFETY: nothing interrupts.
        unsafe { OverflowHandler::installed() }
    };
    [] ThresholdHandler = {
        // SAFETY: as above.
        unsafe { ThresholdHandler::installed() }
    };
    [] P6Event = *P6Event::by_code(draw()?, draw()?)?;
    [] fn(u32) -> Option<Role> = CounterIndex::role;
    [] Runs<'static> = runs(draw()?);
    [] WriteWatch<u64> = WriteWatch::save(draw()?, draw()?, |_, _| draw_surely());
    [] Idt<'static, Gate64> = Idt::new(leak([Gate64::ABSENT; 256]), draw()?);

    [] ArchitecturalCounters<Bus> = ArchitecturalCounters::new(Bus, draw()?)?;
    [] AmdCounters<Bus> = AmdCounters::new(Bus);
    [] P6FamilyCounters<Bus> = P6FamilyCounters::new(Bus);
    [] PmcDevice<Bus> = PmcDevice::load(Bus, draw()?).0;
    [] InterruptCounts<4> = InterruptCounts::new();
    [] TscOnly<Bus> = TscOnly(Bus);
    [] P6Counters<Bus> = P6Counters::new(Bus);
    [] X2Apic<Bus> = X2Apic(Bus);
    [] EmulatedRdpmc<Bus> = EmulatedRdpmc(Bus);
    [] SelectFirst<Bus> = SelectFirst::new(Bus);
    [] ContextSwitch<Bus> = ContextSwitch::new(Bus);
    [] FakeMsrs<'static, 4, DebugFault, 8> = {
        let mut fake = FakeMsrs::default();
        for _ in 0..below(5) {
            fake.define_number(draw()?, draw()?);
        }
        fake
    };
    [] Control<CounterIndex, Select, 4> = {
        let mut control = if below(2) == 0 { Control::new() } else { Control::new().with_tsc() };
        for _ in 0..below(5) {
            control = control.count(draw()?, draw()?).ok()?;
        }
        control
    };
    [] TaskCounters<CounterIndex, Select, 4> = TaskCounters::new(draw()?);
    [] Thread<CounterIndex, Select, 4> = {
        let mut thread = Thread::new();
        if below(2) == 0 {
            thread.attach(draw()?);
        }
        thread
    };

    [] Lwpcb = {
        let caps = LwpCaps::from_cpuid([0, 0x0103_2040, 0x8000_002A, 0x1F], EdxLayout::AsPrinted)?;
        let builder = LwpcbBuilder::new(&caps).buffer(0x10_0000, 4096);
        builder.event(EventId::INSTRUCTIONS_RETIRED, 1000 + draw::<u32>()? % 1000).build().ok()?
    };
    [] LbrRecords<'static, Bus> = draw::<LbrStack>()?.newest_first(leak(Bus)).ok()?;
    [] LbrStill = draw::<LbrStack>()?.still(&mut Bus, |_, still| still).ok()?;
    [] ArchLbrRecords<'static, Bus> = draw::<lwp_regs::trace::ArchLbrStack>()?.newest_first(leak(Bus));
    [] AmdLbrRecords<'static, Bus> = draw::<lwp_regs::trace::AmdLbrStack>()?.newest_first(leak(Bus));
    [const BYTES: usize] DsMemory<BYTES> = DsMemory::new();
    [const RECORDS: usize] EventBuffer<RECORDS> = EventBuffer::new();
    [] DsView<'static> = leak(DsMemory::<448>::new()).management(draw()?)?;
    [] RecordBuffer<'static> = leak(DsMemory::<256>::new()).records();
    [] DsBuilder<'static> = {
        let builder = DsBuilder::new(draw()?, draw()?, draw()?);
        if below(2) == 0 { builder.bts(draw()?, draw()?) } else { builder.pebs(draw()?) }
    };
    [] DsPlan = {
        let pages = &*leak([Page { linear: 0, bytes: 0x40_0000, attributes: PageAttributes::all() }]);
        let region = |base, bytes| Region { base, bytes, pages };
        let builder = DsBuilder::new(DsFormat::Bits64, region(0x1000, 0x1000), true);
        builder.bts(region(0x4000, 0x1000), BtsMode::InterruptAfter(1 + draw::<u64>()? % 100)).build().ok()?
    };

    [] Frozen<Bus, Unsaved> = Frozen::freeze(Bus).ok()?;
    [] Frozen<Bus, Saved> = draw::<Frozen<Bus, Unsaved>>()?.save().ok()?;
    [] OverflowSetup<VectorProvided> = OverflowSetup::provide_vector(&mut Bus).ok()?;
    [] OverflowSetup<LvtInitialised> = draw::<OverflowSetup<VectorProvided>>()?.initialise_lvt(&mut Bus).ok()?;
    [] OverflowSetup<StubInstalled> = draw::<OverflowSetup<LvtInitialised>>()?.install_stub(&mut Bus).ok()?;
}
