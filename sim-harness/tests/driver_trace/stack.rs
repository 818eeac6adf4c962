//! The LBR stack: read by its layout and format, frozen by a performance interrupt, and the last exception record.

use super::fake::{Fake, memory};
use super::{Device, HANDLER, VECTOR, ends, on_both, taken};
use lwp_model::trace::{Config, Depth, Format, Numbers};
use lwp_regs::access::MsrBus;
use lwp_regs::trace::{
    BtsMode, DebugCtl, FreezeOnPmi, LastException, LbrFormat, LbrLayout, LbrRecord, LbrStack, UntracedDebugCtl,
};
use sim_harness::core::MachineFault;
use sim_harness::trace::machine::Machine;
use std::fmt::Debug;

const BRANCHES: u64 = 40;

/// Records the branches of a program, and reads them, newest first. The same code for all machines.
fn newest<B: MsrBus<Fault: Debug>>(bus: &mut B, stack: LbrStack, mut step: impl FnMut(u64)) -> Vec<LbrRecord> {
    stack.clear(bus).unwrap();
    UntracedDebugCtl::new(DebugCtl::new().with_lbr(true)).unwrap().write(bus).unwrap();
    (0..BRANCHES).for_each(&mut step);
    let mut records = [LbrRecord::default(); 32];
    let count = stack
        .still(bus, |bus, still| {
            assert!(still.is_certain());
            stack.read(bus, &mut records)
        })
        .unwrap()
        .unwrap();
    records[..count].to_vec()
}

/// What the format has of a branch.
fn expected(number: u64, format: LbrFormat) -> LbrRecord {
    let (from, to, predicted) = ends(number);
    let of_format = format.decode(Default::default()).unwrap();
    LbrRecord { from, to, mispredicted: of_format.mispredicted.map(|_| !predicted), ..of_format }
}

fn straps(lbr_depth: Depth, lbr_numbers: Numbers, lbr_format: Format) -> Config {
    Config { lbr_depth, lbr_numbers, lbr_format, ..Config::default() }
}

// LBR-06, LBR-07, LBR-26: newest to oldest on the stacks of six processors, each in its format
#[test]
fn stacks_are_read_on_three_machines() {
    let core = Numbers::Core;
    let nehalem = Numbers::Nehalem;
    for (layout, format, straps) in [
        (LbrLayout::PENTIUM_M, LbrFormat::Offset32, straps(Depth::Eight, core, Format::Offset32)),
        (LbrLayout::CORE2, LbrFormat::EffectiveIp, straps(Depth::Four, core, Format::Effective)),
        (LbrLayout::ATOM, LbrFormat::LinearIp, straps(Depth::Eight, core, Format::Linear)),
        (LbrLayout::NEHALEM, LbrFormat::EffectiveIpFlags, straps(Depth::Sixteen, nehalem, Format::Flags)),
        (LbrLayout::HASWELL, LbrFormat::EffectiveIpTsx, straps(Depth::Sixteen, nehalem, Format::Tsx)),
        (LbrLayout::SKYLAKE, LbrFormat::Info, straps(Depth::ThirtyTwo, nehalem, Format::Info)),
    ] {
        let stack = LbrStack::new(layout, format).unwrap();
        fn on_machine<D: Device>(mut machine: &Machine<D, 4>, stack: LbrStack) -> Vec<LbrRecord> {
            let board = machine;
            newest(&mut machine, stack, |number| board.retire(&[taken(number)], ends(number).1))
        }
        let found = on_both!(straps, |machine| on_machine(machine, stack));
        let depth = u64::from(layout.depth().get());
        let wanted: Vec<_> = (BRANCHES - depth..BRANCHES).rev().map(|number| expected(number, format)).collect();
        // One branch in a cycle each; of the first one the stack has no record any more.
        let counted = |record: &LbrRecord| LbrRecord { cycles: record.cycles.map(|cycles| cycles - 1), ..*record };
        assert_eq!(found.iter().map(counted).collect::<Vec<_>>(), wanted, "{format:?}");

        let fake = Fake::new(Some(stack));
        let of_fake = newest(&mut &fake.cpu, stack, |number| assert!(!fake.branch(number)));
        assert_eq!(of_fake, wanted, "{format:?}");
    }
}

/// What a handler finds: whether the stack is frozen, its records, the last exception record.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    frozen: bool,
    records: Vec<(u64, u64)>,
    exception: (u64, u64),
    /// The branch before the interrupt.
    last: u64,
}

/// Runs to the interrupt of the BTS buffer, with the stack frozen or not.
fn interrupted<D: Device>(mut machine: &Machine<D, 4>, freeze: bool) -> Found {
    let mut memory = memory();
    memory.map(machine);
    let stack = LbrStack::new(LbrLayout::NEHALEM, LbrFormat::EffectiveIpFlags).unwrap();
    let plan = memory.plan(Some(BtsMode::InterruptAfter(8)), None);
    if freeze {
        FreezeOnPmi { lbrs: true, counters: false }.arm(&mut machine).unwrap();
    } else {
        UntracedDebugCtl::new(DebugCtl::new().with_lbr(true)).unwrap().write(&mut machine).unwrap();
    }
    let (mut apic, board) = (machine, machine);
    let mut running = memory.start(plan, &mut machine, &mut apic);
    let mut number = 0;
    loop {
        let behind = ends(number).1;
        board.retire(&[taken(number)], behind);
        if board.take_interrupt(behind, HANDLER) == Some(VECTOR) {
            break;
        }
        number += 1;
    }
    let frozen = FreezeOnPmi::lbrs_are_frozen(&mut machine).unwrap();
    let mut isr = running.interrupt(&mut machine).unwrap();
    let mut records = [LbrRecord::default(); 4];
    stack.still(isr.bus(), |bus, _| stack.read(bus, &mut records)).unwrap().unwrap();
    let exception = LastException::read(isr.bus()).unwrap().decode(stack.format()).unwrap();
    isr.exit(&mut apic).unwrap();
    let records = records.map(|record| (record.from, record.to)).to_vec();
    Found { frozen, records, exception: (exception.from, exception.to), last: number }
}

// DCTL-11, DCTL-24, LBR-17, LBR-19: frozen, the stack has the program's branches and no interrupt; otherwise the interrupt is the newest,
// and the branch before it the last exception record
#[test]
fn the_interrupt_freezes_the_stack() {
    let straps = straps(Depth::Sixteen, Numbers::Nehalem, Format::Flags);
    let both = |number: u64| (ends(number).0, ends(number).1);
    let thawed = on_both!(straps, |machine| interrupted(machine, false));
    let last = thawed.last;
    assert_eq!((thawed.frozen, thawed.exception), (false, both(last)));
    assert_eq!(thawed.records, [(ends(last).1, HANDLER), both(last), both(last - 1), both(last - 2)]);
    let frozen = on_both!(straps, |machine| interrupted(machine, true));
    let newest = (0..=frozen.last).find(|number| both(*number) == frozen.records[0]).expect("a branch of the program");
    assert!(newest >= 7, "the eighth record asks for the interrupt");
    assert_eq!(frozen.records, (newest - 3..=newest).rev().map(both).collect::<Vec<_>>());
    assert_eq!((frozen.frozen, frozen.exception), (true, (0, 0)), "nothing is updated while it is frozen");
}

// LBR-06, DCTL-03: faults are those of the instructions
#[test]
fn faults_are_values() {
    fn faults<D: Device>(mut machine: &Machine<D, 4>) -> Vec<Result<u64, MachineFault>> {
        let mut found = vec![machine.rdmsr_of_user(0x680)];
        // SAFETY: nothing is stored.
        let mut write = |number, value| unsafe { machine.wrmsr(number, value) }.map(|()| 0);
        found.extend([write(0x1D9, 1 << 2), write(0x1C9, 4), write(0x600, 1 << 60), write(0x1DD, 0), write(0x6C3, 7)]);
        // SAFETY: as above.
        found.push(unsafe { machine.rdmsr(0x6C3) });
        // SAFETY: as above.
        found.push(unsafe { machine.rdmsr(0x684) });
        found
    }
    let refused = Err(MachineFault::GeneralProtection);
    let found = on_both!(Config::default(), faults);
    assert_eq!(found, [refused, refused, refused, refused, refused, Ok(0), Ok(7), refused]);
}
