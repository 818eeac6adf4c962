//! The functions of `lwp-regs` for branch records on three machines: the scripted fake, the model and the Verilated RTL. Model and RTL give the
//! same, to the cycle; what they write is in the memory of this program.

mod fake;
mod precise;
mod rules;
mod stack;
mod store;

use lwp_model::Moore;
use lwp_model::retire::{Branch, BranchKind, Retired};
use lwp_model::trace::{Config, Inputs, Lane, Outputs, TraceUnit};
use lwp_regs::access::MsrBus;
use lwp_regs::delivery::{Gate64, Idt, LocalApic};
use lwp_regs::trace::{
    BtsFlags, BtsMode, BtsRecord, DsBuilder, DsFormat, DsMemory, DsPlan, Page, PageAttributes, PebsFormat, PebsRecord,
    PebsReset, PebsSetup, PmiHandler, Region, RunningDs,
};
use sim_harness::device::RtlDevice;
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::trace::machine::Machine;
use std::fmt::Debug;
use std::ops::Range;

type Unit = TraceUnit<4, 32>;

/// What a machine is built around.
trait Device: Moore<Inputs = Inputs<4>, Outputs = Outputs> {}
impl<D: Moore<Inputs = Inputs<4>, Outputs = Outputs>> Device for D {}

/// Runs a generic function on the model and on the RTL, fresh from reset. Both give the same, which is the result.
macro_rules! on_both {
    ($straps:expr, $body:expr) => {{
        let (model, rtl) = $crate::driver_trace::machines(&$straps);
        let of_model = ($body(&model), model.cycles(), model.seen());
        let of_rtl = ($body(&rtl), rtl.cycles(), rtl.seen());
        assert_eq!(of_model, of_rtl, "model and RTL differ");
        assert!(!rtl.into_device().into_rtl().take_assertion(), "an assertion of the RTL failed");
        of_model.0
    }};
}
use on_both;

/// A machine with the model, and one with the RTL.
fn machines(straps: &Config) -> (Machine<Unit, 4>, Machine<RtlDevice<Unit>, 4>) {
    let rtl = Machine::of_rtl(BuildId::from_name("trace_l4s32").unwrap(), Flavour::Traced, straps).unwrap();
    (Machine::of_model(straps).unwrap(), rtl)
}

/// The entry of the interrupt's handler, and its vector.
const HANDLER: u64 = 0xFFFF_FFFF_8100_0000;
const VECTOR: u8 = 0xEE;

/// Source and destination of a program's taken branch with this number; and whether it is predicted.
fn ends(number: u64) -> (u64, u64, bool) {
    (0x40_1000 + 0x20 * number, 0x40_1010 + 0x20 * number, !number.is_multiple_of(3))
}

/// The branch in a lane.
fn taken(number: u64) -> Lane {
    let (ip, next, pred_ok) = ends(number);
    Lane {
        retired: Retired { valid: true, counts: true, ip },
        branch: Branch { kind: BranchKind::Cond, taken: true, pred_valid: true, pred_ok, next },
        ..Lane::default()
    }
}

/// Its record.
fn record(number: u64) -> BtsRecord {
    let (from, to, predicted) = ends(number);
    BtsRecord { from, to, flags: BtsFlags::new().with_predicted(predicted) }
}

/// Records of the BTS buffer and of the PEBS buffer.
const BTS_RECORDS: u64 = 16;
const PEBS_RECORDS: u64 = 8;

/// An area's memory.
#[derive(Default)]
struct Memory {
    management: DsMemory<128>,
    bts: DsMemory<{ 24 * BTS_RECORDS as usize }>,
    pebs: DsMemory<{ 144 * PEBS_RECORDS as usize }>,
}

impl Memory {
    /// The linear addresses of its parts.
    fn regions(&mut self) -> [Range<u64>; 3] {
        let management = self.management.management(DsFormat::Bits64).unwrap().address();
        let (bts, pebs) = (self.bts.records().address(), self.pebs.records().address());
        [management..management + 128, bts..bts + 24 * BTS_RECORDS, pebs..pebs + 144 * PEBS_RECORDS]
    }

    /// Maps all of it.
    fn map<D: Device>(&mut self, machine: &Machine<D, 4>) {
        for region in self.regions() {
            // SAFETY: the tests keep the memory as long as the machine runs, and look at it through the views of `lwp-regs`.
            unsafe { machine.map(region) };
        }
    }

    /// A plan for it: a BTS buffer if there is a mode, and a PEBS buffer with these reset values that interrupts after two records.
    fn plan(&mut self, mode: Option<BtsMode>, reset: Option<PebsReset>) -> DsPlan {
        let pages = [Page { linear: 0, bytes: u64::MAX, attributes: PageAttributes::all() }];
        let [management, bts, pebs] =
            self.regions().map(|range| Region { base: range.start, bytes: range.end - range.start, pages: &pages });
        let mut builder = DsBuilder::new(DsFormat::Bits64, management, true);
        if let Some(mode) = mode {
            builder = builder.bts(bts, mode);
        }
        if let Some(counter_reset) = reset {
            let format = PebsFormat::Registers;
            let record_bytes = format.record_bytes(DsFormat::Bits64);
            let setup = PebsSetup { region: pebs, format, record_bytes, interrupt_after: 2, waiting: 4, counter_reset };
            builder = builder.pebs(setup);
        }
        builder.build().unwrap()
    }

    /// Sets the area up and starts, with the interrupt.
    fn start<B, A, F>(&mut self, plan: DsPlan, bus: &mut B, apic: &mut A) -> RunningDs<'_>
    where
        B: MsrBus<Fault = F>,
        A: LocalApic<Fault = F>,
        F: Debug,
    {
        let view = self.management.management(DsFormat::Bits64).unwrap();
        let bts = (plan.image().bts.base != 0).then(|| self.bts.records());
        let pebs = (plan.image().pebs.base != 0).then(|| self.pebs.records());
        let mut gates = [Gate64::ABSENT; 256];
        let placed = plan.place(view, bts, pebs).unwrap();
        // SAFETY: the memory is the area's until it is stopped.
        let pointed = unsafe { placed.point(bus) }.unwrap();
        let routed = pointed.route(apic, VECTOR).unwrap();
        // SAFETY: no processor uses the table.
        let handled = unsafe { routed.install(&mut Idt::new(&mut gates, 0x10), HANDLER, apic) }.unwrap();
        // SAFETY: as above.
        unsafe { handled.start(bus) }.unwrap()
    }
}

/// What the handlers were given.
#[derive(Debug, Default, PartialEq, Eq)]
struct Journal {
    branches: Vec<BtsRecord>,
    /// Instruction pointers.
    precise: Vec<u64>,
    interrupts: u64,
}

impl PmiHandler for Journal {
    fn branch(&mut self, record: BtsRecord) {
        self.branches.push(record);
    }

    fn precise(&mut self, record: PebsRecord) {
        self.precise.push(record.ip);
    }

    fn counters(&mut self, overflowed: u64) {
        unreachable!("no counter interrupts: {overflowed:#x}");
    }
}
