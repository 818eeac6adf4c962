//! The interrupt handler.

use super::*;

// BTS-47: off during the handler, whose branches are not stored, and then as it was
#[test]
fn nothing_is_stored_during_the_handler() {
    let (cpu, mut memory) = (registers(), Memory::default());
    let (mut bus, mut apic) = (&cpu, X2Apic(&cpu));
    let mut running = running(&mut memory, &cpu, BtsMode::InterruptAfter(2), true);
    cpu.borrow_mut().set(PEBS_ENABLE, 0x1_0000_0003);
    cpu.borrow_mut().set(DEBUGCTL, 0x3C3);
    assert!(!branch(running.hardware(), &cpu, 10));
    assert!(branch(running.hardware(), &cpu, 20));

    let mut isr = running.interrupt(&mut bus).unwrap();
    assert_eq!([DEBUGCTL, PEBS_ENABLE].map(|register| cpu.borrow().get(register)), [0x303, 0]);
    branch(isr.store(), &cpu, 900);
    let mut records = Vec::new();
    assert_eq!(isr.store().drain_branches(|record| records.push(record)), Ok(2));
    assert_eq!(froms(&records), [10, 20]);
    isr.exit(&mut apic).unwrap();
    assert_eq!([DEBUGCTL, PEBS_ENABLE].map(|register| cpu.borrow().get(register)), [0x3C3, 0x1_0000_0003]);
}

// BTS-49: up to but not including the index, which then is the base
#[test]
fn draining_resets_the_index() {
    let (cpu, mut memory) = (registers(), Memory::default());
    let mut running = running(&mut memory, &cpu, BtsMode::InterruptAfter(2), false);
    let interrupts: Vec<bool> = (1..=6).map(|from| branch(running.hardware(), &cpu, from)).collect();
    assert_eq!(interrupts, [false, true, false, false, false, false]);
    assert_eq!(cpu.borrow().get(DEBUGCTL), 0x1C1, "nothing is disabled");

    let mut bus = &cpu;
    let mut isr = running.interrupt(&mut bus).unwrap();
    let mut records = Vec::new();
    assert_eq!(isr.store().drain_branches(|record| records.push(record)), Ok(4));
    assert_eq!(froms(&records), [1, 2, 3, 4]);
    let bts = isr.store().view().bts();
    assert_eq!(bts.index, bts.base);
    assert_eq!(isr.store().drain_branches(|_| unreachable!()), Ok(0));
    isr.exit(&mut X2Apic(&cpu)).unwrap();

    branch(running.hardware(), &cpu, 7);
    let mut isr = running.interrupt(&mut bus).unwrap();
    let mut records = Vec::new();
    assert_eq!(isr.store().drain_branches(|record| records.push(record)), Ok(1));
    assert_eq!(froms(&records), [7], "records 2 to 4 are still in memory, but behind the index");
}

// BTS-49: an area that software has spoilt is neither read by nor reset
#[test]
fn a_spoilt_area_is_not_drained() {
    let mut memory = Memory::default();
    let mut setup = placed(&mut memory, BtsMode::InterruptAfter(2), true);
    let (bts, pebs) = (setup.store().view().bts(), setup.store().view().pebs());
    setup.store().view.set_bts_index(bts.base + 120);
    let outside = DsIndexError::Outside {
        part: DsPart::Bts,
        index: bts.base + 120,
        base: bts.base,
        absolute_maximum: bts.base + 96,
    };
    assert_eq!(setup.store().drain_branches(|_| unreachable!()), Err(outside));
    assert_eq!(setup.store().branch_history(|_| unreachable!()), Err(outside));
    setup.store().view.set_pebs_index(pebs.base + 1);
    let between = DsIndexError::BetweenRecords { part: DsPart::Pebs, index: pebs.base + 1, record_bytes: 144 };
    assert_eq!(setup.store().drain_precise(|_| unreachable!()), Err(between));
    assert_eq!(setup.store().view().bts().index, bts.base + 120);

    let larger =
        DsImage { bts: DsBuffer { absolute_maximum: bts.base + 4096, ..bts }, ..*setup.store().plan().image() };
    setup.store().view.place(&larger);
    let other = DsIndexError::OtherBuffer { part: DsPart::Bts, base: bts.base, absolute_maximum: bts.base + 4096 };
    assert_eq!(setup.store().drain_branches(|_| unreachable!()), Err(other));
}

/// Writes down what it was called for.
#[derive(Default)]
struct Journal {
    branches: Vec<u64>,
    precise: Vec<u64>,
    counters: Vec<u64>,
}

impl PmiHandler for Journal {
    fn branch(&mut self, record: BtsRecord) {
        self.branches.push(record.from);
    }
    fn precise(&mut self, record: PebsRecord) {
        self.precise.push(record.ip);
    }
    fn counters(&mut self, overflowed: u64) {
        self.counters.push(overflowed);
    }
}

// BTS-44: each cause and any mixture of them; a routine without cause is not run, so nothing is lost
#[test]
fn every_cause_has_its_routine() {
    for causes in 0..8u8 {
        let has = |bit: u8| causes & 1 << bit != 0;
        let (cpu, mut memory) = (registers(), Memory::default());
        let mut bus = &cpu;
        let mut running = running(&mut memory, &cpu, BtsMode::InterruptAfter(2), true);
        cpu.borrow_mut().set(PEBS_ENABLE, 0x1);
        cpu.borrow_mut().set(STATUS, if has(2) { 0x1_0000_0002 } else { 0 });
        for from in 0..if has(0) { 2 } else { 1 } {
            branch(running.hardware(), &cpu, 10 + from);
        }
        for ip in 0..if has(1) { 2 } else { 1 } {
            precise(running.hardware(), 100 + ip);
        }

        let mut journal = Journal::default();
        let mut isr = running.interrupt(&mut bus).unwrap();
        assert_eq!(isr.dispatch(&mut journal).unwrap().bits(), causes);
        assert_eq!(journal.branches, if has(0) { [10, 11].as_slice() } else { &[] });
        assert_eq!(journal.precise, if has(1) { [100, 101].as_slice() } else { &[] });
        assert_eq!(journal.counters, if has(2) { [0x1_0000_0002].as_slice() } else { &[] });
        let (bts, pebs) = (isr.store().view().bts(), isr.store().view().pebs());
        assert_eq!((bts.index - bts.base) / 24, if has(0) { 0 } else { 1 });
        assert_eq!((pebs.index - pebs.base) / 144, if has(1) { 0 } else { 1 });
    }
}

#[test]
fn a_spoilt_index_does_not_hide_the_other_causes() {
    let (cpu, mut memory) = (registers(), Memory::default());
    let mut bus = &cpu;
    let mut running = running(&mut memory, &cpu, BtsMode::InterruptAfter(2), true);
    cpu.borrow_mut().set(STATUS, 0x4);
    let base = running.hardware().view().bts().base;
    running.hardware().view.set_bts_index(base + 49);
    precise(running.hardware(), 1);
    precise(running.hardware(), 2);
    let mut journal = Journal::default();
    let mut isr = running.interrupt(&mut bus).unwrap();
    assert!(isr.dispatch(&mut journal).is_err());
    assert_eq!((journal.branches, journal.precise, journal.counters), (Vec::new(), Vec::from([1, 2]), Vec::from([4])));
}

// BTS-50: the mask that the delivery has set is cleared; BTS-51: after PEBS, the overflow indications are cleared and
// the counter is enabled again; BTS-47: everything is on as it was, counters behind PEBS and the mask
#[test]
fn the_handler_in_its_order() {
    let (cpu, mut memory) = (registers(), Memory::default());
    let mut bus = &cpu;
    let mut running = running(&mut memory, &cpu, BtsMode::InterruptAfter(2), true);
    for (register, value) in
        [(PEBS_ENABLE, 0x1), (STATUS, 0x4000_0000_0000_0001), (CTRL, 0x7_0000_0000), (LVT, 0x1_00EE)]
    {
        cpu.borrow_mut().set(register, value);
    }
    precise(running.hardware(), 1);
    precise(running.hardware(), 2);

    let before = cpu.borrow().log().len();
    running.interrupt(&mut bus).unwrap().exit(&mut X2Apic(&cpu)).unwrap();
    let entry = [
        Access::Read(DEBUGCTL),
        Access::Write(DEBUGCTL, 0x101),
        Access::Read(CTRL),
        Access::Write(CTRL, 0),
        Access::Read(PEBS_ENABLE),
        Access::Write(PEBS_ENABLE, 0),
        Access::Read(STATUS),
    ];
    let exit = [
        Access::Write(OVF_CTRL, 0x4000_0000_0000_0001),
        Access::Write(PEBS_ENABLE, 0x1),
        Access::Read(LVT),
        Access::Write(LVT, 0xEE),
        Access::Read(CTRL),
        Access::Write(CTRL, 0x7_0000_0001),
        Access::Read(DEBUGCTL),
        Access::Write(DEBUGCTL, 0x1C1),
    ];
    assert_eq!(cpu.borrow().log()[before..], [entry.as_slice(), &exit].concat());
}

/// Plays a processor whose general counter 0 stores records and whose counter 1 interrupts: counts how often each, while
/// enabled, would have overflowed in vain, one event behind each access of the handler: without a record, or with its
/// interrupt masked.
fn lost(log: &[Access], mut ctrl: u64, mut pebs: u64) -> [u32; 2] {
    let (mut masked, mut status_read, mut lost) = (true, false, [0, 0]);
    for access in log {
        match *access {
            Access::Write(CTRL, value) => ctrl = value,
            Access::Write(PEBS_ENABLE, value) => pebs = value,
            Access::Write(LVT, value) => masked = value & 0x1_0000 != 0,
            Access::Read(STATUS) => status_read = true,
            _ => {}
        }
        lost[0] += u32::from(ctrl & 1 != 0 && pebs & 1 == 0);
        lost[1] += u32::from(ctrl & 2 != 0 && status_read && masked);
    }
    lost
}

// an overflow inside the handler has no interrupt while the entry is masked, and no record while PEBS is off
#[test]
fn no_counter_overflows_in_vain() {
    for status in [0x4000_0000_0000_0001, 0x2, 0] {
        let (cpu, mut memory) = (registers(), Memory::default());
        let mut bus = &cpu;
        let mut running = running(&mut memory, &cpu, BtsMode::InterruptAfter(2), true);
        for (register, value) in [(PEBS_ENABLE, 0x1), (STATUS, status), (CTRL, 0x3), (LVT, 0x1_00EE)] {
            cpu.borrow_mut().set(register, value);
        }
        let before = cpu.borrow().log().len();
        let mut isr = running.interrupt(&mut bus).unwrap();
        isr.dispatch(&mut Journal::default()).unwrap();
        isr.exit(&mut X2Apic(&cpu)).unwrap();
        assert_eq!(lost(&cpu.borrow().log()[before..], 0x3, 0x1), [0, 0], "status {status:#x}");
        assert_eq!(cpu.borrow().get(CTRL), 0x3, "as it was");
    }
}

/// An interrupt with this status and no due buffer, on a processor that has cleared `IA32_PERF_GLOBAL_CTRL` before.
fn frozen(running: &mut RunningDs<'_>, cpu: &RefCell<Recorder>, status: u64) -> u64 {
    cpu.borrow_mut().set(CTRL, 0);
    cpu.borrow_mut().set(STATUS, status);
    let mut bus = cpu;
    running.interrupt(&mut bus).unwrap().exit(&mut X2Apic(cpu)).unwrap();
    cpu.borrow().get(CTRL)
}

// DCTL-12, DCTL-24: FREEZE_PERFMON_ON_PMI has cleared the enables, at an interrupt of the BTS buffer as well
#[test]
fn precise_counters_count_again_after_a_freeze() {
    let (cpu, mut memory) = (registers(), Memory::default());
    let mut running = running(&mut memory, &cpu, BtsMode::InterruptAfter(2), true);
    cpu.borrow_mut().set(PEBS_ENABLE, 0x5);
    assert_eq!(frozen(&mut running, &cpu, 0), 0, "nothing freezes: they were off");
    cpu.borrow_mut().set(DEBUGCTL, 0x11C1);
    assert_eq!([0, 0x2, 1 << 62].map(|status| frozen(&mut running, &cpu, status)), [0x5; 3]);

    cpu.borrow_mut().set(CTRL, 0);
    let mut bus = &cpu;
    let mut isr = running.interrupt(&mut bus).unwrap();
    let counters = isr.enabled_counters();
    *counters = counters.with_fixed(0x1);
    isr.exit(&mut X2Apic(&cpu)).unwrap();
    assert_eq!(cpu.borrow().get(CTRL), 0x1_0000_0005, "what the handler has added");
}

// what the handler has changed in IA32_DEBUGCTL stays: LBR thawed, BTF armed; LBR that a #DB in the handler has cleared
#[test]
fn changes_of_the_handler_stay() {
    use crate::trace::{BranchStep, FreezeOnPmi};
    let (cpu, mut memory) = (registers(), Memory::default());
    let mut running = running(&mut memory, &cpu, BtsMode::InterruptAfter(2), false);
    let (mut bus, mut apic) = (&cpu, X2Apic(&cpu));
    cpu.borrow_mut().set(DEBUGCTL, 0x9C0);
    let mut isr = running.interrupt(&mut bus).unwrap();
    FreezeOnPmi::thaw_lbrs(isr.bus()).unwrap();
    BranchStep::new().arm(isr.bus(), 0).unwrap();
    isr.exit(&mut apic).unwrap();
    assert_eq!(cpu.borrow().get(DEBUGCTL), 0x9C3);

    let isr = running.interrupt(&mut bus).unwrap();
    cpu.borrow_mut().set(DEBUGCTL, 0x900);
    isr.exit(&mut apic).unwrap();
    assert_eq!(cpu.borrow().get(DEBUGCTL), 0x9C0);
}

// Processor Trace (55), the uncore (61) and bit 63 have not been looked at; the freeze (58, 59) ends with the handler
#[test]
fn indications_of_others_stay() {
    let (cpu, mut memory) = (registers(), Memory::default());
    let mut bus = &cpu;
    let mut running = running(&mut memory, &cpu, BtsMode::InterruptAfter(2), true);
    for (status, acknowledged) in [
        (0xFC81_0007_0000_000F, Some(0x4C00_0007_0000_000F)),
        (0x0080_0000_0000_0002, Some(0x2)),
        (0xA080_0000_0000_0000, None),
    ] {
        cpu.borrow_mut().set(STATUS, status);
        let before = cpu.borrow().log().len();
        running.interrupt(&mut bus).unwrap().exit(&mut X2Apic(&cpu)).unwrap();
        let written = cpu.borrow().log()[before..].iter().find_map(|access| match *access {
            Access::Write(OVF_CTRL, value) => Some(value),
            _ => None,
        });
        assert_eq!(written, acknowledged, "{status:#x}");
    }
}

// BTS-50: without PEBS and counters as well
#[test]
fn a_handler_of_branches_alone_clears_the_mask() {
    let (cpu, mut memory) = (registers(), Memory::default());
    let mut bus = &cpu;
    let mut running = running(&mut memory, &cpu, BtsMode::InterruptAfter(2), false);
    cpu.borrow_mut().set(LVT, 0x1_00EE);
    let before = cpu.borrow().log().len();
    let isr = running.interrupt(&mut bus).unwrap();
    isr.exit(&mut X2Apic(&cpu)).unwrap();
    assert_eq!(
        cpu.borrow().log()[before..],
        [
            Access::Read(DEBUGCTL),
            Access::Write(DEBUGCTL, 0x101),
            Access::Read(LVT),
            Access::Write(LVT, 0xEE),
            Access::Read(DEBUGCTL),
            Access::Write(DEBUGCTL, 0x1C1),
        ]
    );
}

// BTS-54: in the order of time, before and after the buffer has wrapped
#[test]
fn the_history_of_a_circular_buffer() {
    let (cpu, mut memory) = (registers(), Memory::default());
    let mut running = running(&mut memory, &cpu, BtsMode::Circular, false);
    let mut written = 0;
    for (total, expected) in [(0, &[][..]), (3, &[1, 2, 3]), (4, &[1, 2, 3, 4]), (6, &[3, 4, 5, 6]), (8, &[5, 6, 7, 8])]
    {
        while written < total {
            written += 1;
            assert!(!branch(running.hardware(), &cpu, written));
        }
        let mut records = Vec::new();
        assert_eq!(running.hardware().branch_history(|record| records.push(record)), Ok(expected.len() as u64));
        assert_eq!(froms(&records), expected);
        assert!(records.iter().all(|record| record.to == record.from + 1 && record.flags.predicted()));
    }
    let Ok(mut stopped) = running.stop(&mut &cpu) else { panic!() };
    stopped.store().clear_branches();
    assert_eq!(stopped.store().branch_history(|_| unreachable!()), Ok(0));
}

/// A program outside privilege level 0.
struct User;

impl MsrBus for User {
    type Fault = GeneralProtection;
    unsafe fn rdmsr(&mut self, _: u32) -> Result<u64, GeneralProtection> {
        Err(GeneralProtection::Privilege)
    }
    unsafe fn wrmsr(&mut self, _: u32, _: u64) -> Result<(), GeneralProtection> {
        Err(GeneralProtection::Privilege)
    }
}

// BTS-45: outside privilege level 0 the handler does not come as far as the buffers
#[test]
fn the_handler_runs_at_privilege_level_0() {
    let (cpu, mut memory) = (registers(), Memory::default());
    let mut running = running(&mut memory, &cpu, BtsMode::InterruptAfter(2), false);
    branch(running.hardware(), &cpu, 1);
    assert_eq!(running.interrupt(&mut User).map(drop), Err(GeneralProtection::Privilege));
    let bts = running.hardware().view().bts();
    assert_eq!(bts.index, bts.base + 24, "the record is still there");
}
