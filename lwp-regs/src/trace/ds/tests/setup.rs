//! The set-up, step by step.

use super::*;
use crate::access::SharedFault;

// BTS-24, BTS-25, BTS-26, BTS-27, BTS-28, BTS-41, BTS-42: the steps in their order, seen from the registers. The
// handler of step 5 is what the other tests run; its address is in the gate before the interrupt can come.
#[test]
fn the_steps_in_their_order() {
    let cpu = registers();
    let (mut bus, mut apic) = (&cpu, X2Apic(&cpu));
    let mut memory = Memory::default();
    let mut gates = [Gate32::ABSENT; 256];

    let mut placed = placed(&mut memory, BtsMode::InterruptAfter(2), false);
    let area = placed.store().view().address();
    let bts = placed.store().view().bts();
    assert_eq!(bts, placed.store().plan().image().bts, "the area is in memory");
    assert_eq!((bts.index, bts.absolute_maximum, bts.interrupt_threshold), (bts.base, bts.base + 96, bts.base + 48));
    assert_eq!(writes(&cpu), []);

    // SAFETY: the processor is a table.
    let pointed = unsafe { placed.point(&mut bus) }.unwrap();
    assert_eq!(writes(&cpu), [(DS_AREA, area)]);

    let routed = pointed.route(&mut apic, 0xEE).unwrap();
    assert_eq!(writes(&cpu)[1..], [(LVT, 0x1_00EE)], "fixed, edge, masked");

    // SAFETY: no processor uses the table.
    let handled = unsafe { routed.install(&mut Idt::new(&mut gates, 0x10), HANDLER, &mut apic) }.unwrap();
    assert_eq!(gates[0xEE].0.into_bits(), 0xC010_8E00_0010_9ABC, "an interrupt gate");
    assert_eq!(writes(&cpu)[2..], [(LVT, 0xEE)], "fixed, edge, not masked");

    // SAFETY: the processor is a table.
    let running = unsafe { handled.start(&mut bus) }.unwrap();
    assert_eq!(writes(&cpu)[3..], [(DEBUGCTL, 0x1C1)], "TR, BTS and BTINT; LBR as it was");

    assert!(running.stop(&mut bus).is_ok());
    assert_eq!(cpu.borrow().get(DEBUGCTL), 0x001);
}

// BTS-43: BTINT is cleared for a circular buffer, though it was set
#[test]
fn a_circular_buffer_has_no_interrupt() {
    let (cpu, mut memory) = (registers(), Memory::default());
    let _running = running(&mut memory, &cpu, BtsMode::Circular, false);
    assert_eq!(cpu.borrow().get(DEBUGCTL), 0x0C1);
}

// BTS-43: no vector, no gate; with a threshold or PEBS there is no way around them
#[test]
fn a_circular_buffer_needs_no_vector() {
    let (cpu, mut memory) = (registers(), Memory::default());
    let mut start = |mode, pebs| {
        // SAFETY: the processor is a table.
        let pointed = unsafe { placed(&mut memory, mode, pebs).point(&mut &cpu) }.unwrap();
        // SAFETY: the processor is a table.
        pointed.without_interrupt().map(|setup| unsafe { setup.start(&mut &cpu) }.map(|_| ()).unwrap()).is_ok()
    };
    assert!(!start(BtsMode::InterruptAfter(2), false) && !start(BtsMode::Circular, true));
    assert_eq!(cpu.borrow().get(DEBUGCTL), 0x101);
    assert!(start(BtsMode::Circular, false));
    assert_eq!((cpu.borrow().get(DEBUGCTL), cpu.borrow().get(LVT)), (0x0C1, 0x1_0000));
}

// BTS-37: an interrupt gate, not a trap gate
#[test]
fn the_gate_is_an_interrupt_gate() {
    let gate = |kind, present| Gate32::to_handler(kind, 0x10, HANDLER, Privilege::Kernel).0.with_present(present);
    let installed = |gate| {
        let (cpu, mut memory) = (registers(), Memory::default());
        let (mut bus, mut apic) = (&cpu, X2Apic(&cpu));
        // SAFETY: the processor is a table.
        let pointed = unsafe { placed(&mut memory, BtsMode::Circular, false).point(&mut bus) }.unwrap();
        let routed = pointed.route(&mut apic, 0xEE).unwrap();
        let result = routed.installed(gate, &mut apic).map(drop);
        (result, cpu.borrow().get(LVT))
    };
    assert_eq!(installed(gate(GateKind::Interrupt, true)), (Ok(()), 0xEE));
    for bad in [gate(GateKind::Trap, true), gate(GateKind::Task, true), gate(GateKind::Interrupt, false)] {
        assert_eq!(installed(bad), (Err(SetupError::Gate(bad)), 0x1_00EE), "the entry stays masked");
    }
}

// BTS-26: the vector is no exception's
#[test]
fn the_vector_is_no_exception() {
    let (cpu, mut memory) = (registers(), Memory::default());
    // SAFETY: the processor is a table.
    let pointed = unsafe { placed(&mut memory, BtsMode::Circular, false).point(&mut &cpu) }.unwrap();
    assert!(matches!(pointed.route(&mut X2Apic(&cpu), 0x1F), Err(SetupError::Vector(_))));
}

#[test]
fn the_memory_is_the_one_that_was_checked() {
    let (mut memory, mut other) = (Memory::default(), Memory::default());
    let plan = *placed(&mut memory, BtsMode::Circular, false).store().plan();
    let mut place = |format, bts| {
        let view = memory.management.management(format).unwrap();
        let bts: Option<RecordBuffer<'_>> = bts;
        plan.place(view, bts, None).map(drop)
    };
    let no_memory = |part, address| Err(DsError::OtherMemory { part, address });
    let elsewhere = other.bts.records();
    let address = elsewhere.address();
    assert_eq!(place(DsFormat::Bits64, Some(elsewhere)), no_memory(DsPart::Bts, address));
    assert_eq!(place(DsFormat::Bits64, None), no_memory(DsPart::Bts, 0));
    assert_eq!(place(DsFormat::Bits32, None), no_memory(DsPart::Management, plan.address()));
}

#[test]
fn faults_are_values() {
    let mut memory = Memory::default();
    let nothing = RefCell::new(Recorder::new([]));
    // SAFETY: the processor is a table.
    let fault = unsafe { placed(&mut memory, BtsMode::Circular, false).point(&mut &nothing) };
    assert_eq!(fault.map(drop), Err(SharedFault::Bus(GeneralProtection::NoSuchRegister)));
}
