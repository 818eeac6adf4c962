//! Branch records in memory: drained by the interrupt handler while the hardware goes on, and read back from a circular buffer.

use super::fake::{Fake, memory};
use super::{Device, HANDLER, Journal, Memory, VECTOR, ends, on_both, record, taken};
use lwp_model::trace::Config;
use lwp_regs::access::MsrBus;
use lwp_regs::delivery::{LocalApic, X2Apic};
use lwp_regs::trace::{BtsMode, BtsRecord, DebugCtl, PmiCauses, UntracedDebugCtl};
use sim_harness::trace::machine::Machine;
use std::fmt::Debug;

/// Branches of the program.
const BRANCHES: u64 = 60;

/// Traces user mode into a buffer of 16 records, which interrupts after 8. `step` takes a branch, and reports whether the interrupt comes
/// behind it. The same code for all machines.
fn drained<B, A, F>(bus: &mut B, apic: &mut A, memory: &mut Memory, mut step: impl FnMut(u64) -> bool) -> Journal
where
    B: MsrBus<Fault = F>,
    A: LocalApic<Fault = F>,
    F: Debug,
{
    let plan = memory.plan(Some(BtsMode::InterruptAfter(8)), None);
    assert!(plan.warnings().is_empty());
    UntracedDebugCtl::new(DebugCtl::new().with_bts_off_os(true)).unwrap().write(bus).unwrap();
    let mut running = memory.start(plan, bus, apic);
    let mut journal = Journal::default();
    for number in 0..BRANCHES {
        if step(number) {
            journal.interrupts += 1;
            assert!(apic.lvt_performance().unwrap().mask(), "the delivery masks the entry");
            let mut isr = running.interrupt(bus).unwrap();
            assert_eq!(isr.dispatch(&mut journal), Ok(PmiCauses::BRANCHES));
            isr.exit(apic).unwrap();
            assert!(!apic.lvt_performance().unwrap().mask());
            apic.end_of_interrupt().unwrap();
        }
    }
    let mut stopped = running.stop(bus).expect("no fault");
    stopped.store().drain_branches(|record| journal.branches.push(record)).unwrap();
    journal
}

/// A branch on a machine, and the interrupt if there is one.
fn step<D: Device>(machine: &Machine<D, 4>, number: u64) -> bool {
    let behind = ends(number).1;
    machine.retire(&[taken(number)], behind);
    machine.take_interrupt(behind, HANDLER) == Some(VECTOR)
}

fn drained_on_machine<D: Device>(mut machine: &Machine<D, 4>) -> Journal {
    let mut memory = memory();
    memory.map(machine);
    let (mut apic, board) = (machine, machine);
    let journal = drained(&mut machine, &mut apic, &mut memory, |number| step(board, number));
    let seen = board.seen();
    assert_eq!((seen.lost, seen.stored as usize), (0, journal.branches.len()));
    assert!(seen.stalled > 0, "the unit stalls the core while it stores");
    journal
}

/// The records of the program: without those of the interrupts, which come when the machine delivers them.
fn of_program(journal: &Journal) -> Vec<BtsRecord> {
    journal.branches.iter().filter(|record| record.to != HANDLER).copied().collect()
}

// BTS-25, BTS-42, BTS-47, BTS-49, BTS-50, BTS-52: every branch once and in order, while the handler drains a buffer that fills meanwhile
#[test]
fn branches_are_drained_on_three_machines() {
    let straps = Config::default();
    let found = on_both!(straps, drained_on_machine);
    let expected: Vec<_> = (0..BRANCHES).map(record).collect();
    assert_eq!(of_program(&found), expected);
    // Each interrupt is a transfer of control of the program, with a record.
    assert!(found.interrupts >= 4, "{}", found.interrupts);
    assert_eq!((found.branches.len() as u64), BRANCHES + found.interrupts);

    let fake = Fake::new(None);
    let mut memory = memory();
    let of_fake = drained(&mut &fake.cpu, &mut X2Apic(&fake.cpu), &mut memory, |number| fake.branch(number));
    assert_eq!(of_program(&of_fake), expected);
    assert_eq!(of_fake.branches.len() as u64, BRANCHES + of_fake.interrupts);
}

/// Traces into a circular buffer, and reads it back, oldest first.
fn wrapped<B, F>(bus: &mut B, memory: &mut Memory, branches: u64, mut step: impl FnMut(u64)) -> Vec<BtsRecord>
where
    B: MsrBus<Fault = F>,
    F: Debug,
{
    use lwp_regs::trace::DsFormat;
    let plan = memory.plan(Some(BtsMode::Circular), None);
    let view = memory.management.management(DsFormat::Bits64).unwrap();
    let placed = plan.place(view, Some(memory.bts.records()), None).unwrap();
    // SAFETY: the memory is the area's until it is stopped.
    let pointed = unsafe { placed.point(bus) }.unwrap();
    let handled = pointed.without_interrupt().expect("a circular buffer interrupts nobody");
    // SAFETY: as above.
    let running = unsafe { handled.start(bus) }.unwrap();
    (0..branches).for_each(&mut step);
    let mut stopped = running.stop(bus).expect("no fault");
    let mut records = Vec::new();
    stopped.store().branch_history(|record| records.push(record)).unwrap();
    records
}

// BTS-43, BTS-54: the last records in time order, before the buffer has wrapped and after it
#[test]
fn a_circular_buffer_is_read_on_three_machines() {
    for branches in [5, 16, 17, 40, 48] {
        fn on_machine<D: Device>(mut machine: &Machine<D, 4>, branches: u64) -> Vec<BtsRecord> {
            let mut memory = memory();
            memory.map(machine);
            let board = machine;
            wrapped(&mut machine, &mut memory, branches, |number| {
                board.retire(&[taken(number)], ends(number).1);
                assert_eq!(board.take_interrupt(0, HANDLER), None);
            })
        }
        let expected: Vec<_> = (u64::saturating_sub(branches, 16)..branches).map(record).collect();
        assert_eq!(on_both!(Config::default(), |machine| on_machine(machine, branches)), expected);
        let (fake, mut memory) = (Fake::new(None), memory());
        let of_fake = wrapped(&mut &fake.cpu, &mut memory, branches, |number| {
            assert!(!fake.branch(number));
        });
        assert_eq!(of_fake, expected);
    }
}

// BTS-47: what happened before the WRMSR that switches tracing off is in memory behind it, however long the queue was
#[test]
fn a_group_of_branches_is_complete_behind_the_stop() {
    fn groups<D: Device>(mut machine: &Machine<D, 4>) -> Vec<BtsRecord> {
        let mut memory = memory();
        memory.map(machine);
        let board = machine;
        wrapped(&mut machine, &mut memory, 3, |group| {
            let lanes = [0, 1, 2, 3].map(|lane| taken(4 * group + lane));
            board.retire(&lanes, ends(4 * group + 3).1);
        })
    }
    assert_eq!(on_both!(Config::default(), groups), (0..12).map(record).collect::<Vec<_>>());
}
