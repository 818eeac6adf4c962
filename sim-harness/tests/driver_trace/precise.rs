//! Precise samples, drained by the same handler.

use super::fake::{Fake, memory};
use super::{Device, HANDLER, Journal, Memory, VECTOR, on_both};
use lwp_model::retire::Retired;
use lwp_model::trace::{Config, Lane};
use lwp_regs::access::MsrBus;
use lwp_regs::bits::U4;
use lwp_regs::delivery::{LocalApic, X2Apic};
use lwp_regs::trace::{PebsEnable, PebsReset, PmiCauses};
use sim_harness::trace::machine::Machine;
use std::fmt::Debug;

/// Minus the events from one sample to the next.
const RESET: u64 = -10_i64 as u64;
const INSTRUCTIONS: u64 = 80;

/// The address of an instruction of the program.
const fn ip(number: u64) -> u64 {
    0x40_1000 + 4 * number
}

/// Samples the program every tenth instruction. `step` retires an instruction, and reports whether the interrupt comes behind it. The same
/// code for all machines.
fn sampled<B, A, F>(bus: &mut B, apic: &mut A, memory: &mut Memory, mut step: impl FnMut(u64) -> bool) -> Journal
where
    B: MsrBus<Fault = F>,
    A: LocalApic<Fault = F>,
    F: Debug,
{
    let plan = memory.plan(None, Some(PebsReset::general([RESET])));
    let mut running = memory.start(plan, bus, apic);
    let counter = PebsEnable::new().with_counters(U4::of::<1>());
    // SAFETY: the area is running.
    unsafe { counter.write(bus) }.unwrap();
    let mut journal = Journal::default();
    for number in 0..INSTRUCTIONS {
        if step(number) {
            journal.interrupts += 1;
            let mut isr = running.interrupt(bus).unwrap();
            assert_eq!(isr.dispatch(&mut journal), Ok(PmiCauses::PRECISE));
            isr.exit(apic).unwrap();
        }
    }
    let mut stopped = running.stop(bus).expect("no fault");
    stopped.store().drain_precise(|record| journal.precise.push(record.ip)).unwrap();
    journal
}

fn sampled_on_machine<D: Device>(mut machine: &Machine<D, 4>) -> Journal {
    let mut memory = memory();
    memory.map(machine);
    machine.set_counter(RESET);
    let (mut apic, board) = (machine, machine);
    sampled(&mut machine, &mut apic, &mut memory, |number| {
        let retired = Retired { valid: true, counts: true, ip: ip(number) };
        board.retire(&[Lane { retired, ..Lane::default() }], ip(number + 1));
        board.take_interrupt(ip(number + 1), HANDLER) == Some(VECTOR)
    })
}

// BTS-09, BTS-10, BTS-47, BTS-51: the eleventh instruction is the event behind the overflow; then the counter begins again
#[test]
fn samples_are_drained_on_three_machines() {
    let found = on_both!(Config::default(), sampled_on_machine);
    let expected: Vec<_> = (1..=INSTRUCTIONS / 11).map(|sample| ip(11 * sample)).collect();
    assert_eq!((found.precise.clone(), found.interrupts), (expected.clone(), expected.len() as u64 / 2));

    let (fake, mut memory) = (Fake::new(None), memory());
    fake.set_counter(RESET);
    let step = |number| fake.instruction(ip(number + 1));
    let of_fake = sampled(&mut &fake.cpu, &mut X2Apic(&fake.cpu), &mut memory, step);
    assert_eq!(of_fake.precise, expected);
}

// a counter that is armed when the handler switches PEBS off stays without a record until software sets it again
#[test]
fn software_sets_a_counter_again_that_was_armed() {
    fn disarmed<D: Device>(mut machine: &Machine<D, 4>) -> (u64, u64) {
        let mut memory = memory();
        memory.map(machine);
        let plan = memory.plan(None, Some(PebsReset::general([RESET])));
        let (mut apic, board) = (machine, machine);
        let mut running = memory.start(plan, &mut machine, &mut apic);
        let one = PebsEnable::new().with_counters(U4::of::<1>());
        // SAFETY: the area is running.
        unsafe { one.write(&mut machine) }.unwrap();
        machine.set_counter(u64::MAX);
        let retire = |number| {
            let retired = Retired { valid: true, counts: true, ip: ip(number) };
            board.retire(&[Lane { retired, ..Lane::default() }], ip(number + 1));
        };
        retire(0);
        running.interrupt(&mut machine).unwrap().exit(&mut apic).unwrap();
        (1..30).for_each(retire);
        board.settle();
        let without = board.seen().stored;
        machine.set_counter(RESET);
        (30..50).for_each(retire);
        board.settle();
        (without, board.seen().stored)
    }
    assert_eq!(on_both!(Config::default(), disarmed), (0, 1));
}
