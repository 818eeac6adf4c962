//! A debug-store area from set-up to the end, with the processor played by the test.
#![allow(unsafe_code)] // stands in for a kernel; nothing is behind the bus

extern crate std;

mod handler;
mod setup;

use super::*;
use crate::access::{GeneralProtection, MsrBus};
use crate::delivery::{Gate32, GateKind, Idt, Privilege, X2Apic};
use crate::trace::bus::{Access, Recorder};
use crate::trace::{DebugCtl, TraceSink};
use core::cell::RefCell;
use std::vec::Vec;

const DEBUGCTL: u32 = 0x1D9;
const DS_AREA: u32 = 0x600;
const LVT: u32 = 0x834;
const PEBS_ENABLE: u32 = 0x3F1;
const STATUS: u32 = 0x38E;
const CTRL: u32 = 0x38F;
const OVF_CTRL: u32 = 0x390;
const HANDLER: u32 = 0xC010_9ABC;

/// Room for four branch records in either format, and for four PEBS records of 144 bytes.
#[derive(Default)]
struct Memory {
    management: DsMemory<128>,
    bts: DsMemory<96>,
    pebs: DsMemory<576>,
}

/// The registers of a processor, as they are when the kernel begins.
fn registers() -> RefCell<Recorder> {
    RefCell::new(Recorder::new([
        (DEBUGCTL, 0x101),
        (DS_AREA, 0),
        (LVT, 0x1_0000),
        (PEBS_ENABLE, 0),
        (STATUS, 0),
        (CTRL, 0),
        (OVF_CTRL, 0),
    ]))
}

fn writes(cpu: &RefCell<Recorder>) -> Vec<(u32, u64)> {
    cpu.borrow().writes()
}

/// A plan for `memory` with a BTS buffer, and with a PEBS buffer of four records and a threshold after two.
fn placed(memory: &mut Memory, mode: BtsMode, pebs: bool) -> DsSetup<'_, Placed> {
    let view = memory.management.management(DsFormat::Bits64).unwrap();
    let (bts, precise) = (memory.bts.records(), memory.pebs.records());
    let pages = [Page { linear: 0, bytes: u64::MAX, attributes: PageAttributes::all() }];
    let region = |base, bytes| Region { base, bytes, pages: &pages };
    let mut builder = DsBuilder::new(DsFormat::Bits64, region(view.address(), 128), true);
    builder = builder.bts(region(bts.address(), 96), mode);
    if pebs {
        builder = builder.global_counters().pebs(PebsSetup {
            region: region(precise.address(), 576),
            format: PebsFormat::Registers,
            record_bytes: 144,
            interrupt_after: 2,
            waiting: 2,
            counter_reset: PebsReset::ZERO,
        });
    }
    builder.build().unwrap().place(view, Some(bts), pebs.then_some(precise)).unwrap()
}

fn handled<'a>(setup: DsSetup<'a, Placed>, cpu: &RefCell<Recorder>) -> DsSetup<'a, Handled> {
    let (mut bus, mut apic) = (cpu, X2Apic(cpu));
    let mut gates = [Gate32::ABSENT; 256];
    // SAFETY: the processor is a table.
    let pointed = unsafe { setup.point(&mut bus) }.unwrap();
    let routed = pointed.route(&mut apic, 0xEE).unwrap();
    // SAFETY: no processor uses the table.
    unsafe { routed.install(&mut Idt::new(&mut gates, 0x10), HANDLER, &mut apic) }.unwrap()
}

fn running<'a>(memory: &'a mut Memory, cpu: &RefCell<Recorder>, mode: BtsMode, pebs: bool) -> RunningDs<'a> {
    let handled = handled(placed(memory, mode, pebs), cpu);
    // SAFETY: the processor is a table.
    unsafe { handled.start(&mut &*cpu) }.unwrap()
}

/// Plays the processor: stores a branch record if tracing is on, and gives whether there is an interrupt.
fn branch(store: &mut DsStore<'_>, cpu: &RefCell<Recorder>, from: u64) -> bool {
    let debugctl = DebugCtl::from_bits(cpu.borrow().get(DEBUGCTL));
    if debugctl.trace_sink() != TraceSink::Buffer {
        return false;
    }
    let at_end = if debugctl.btint() { AtEnd::Interrupt } else { AtEnd::Circular };
    let buffer = store.view.bts();
    let (next, stored) = buffer.store(24, at_end);
    if let Some(at) = stored.at {
        let record = BtsRecord { from, to: from + 1, flags: BtsFlags::new().with_predicted(true) };
        for (offset, word) in (at - buffer.base..).step_by(4).zip(record.to_bytes(DsFormat::Bits64).chunks_exact(4)) {
            assert!(store.bts.as_mut().unwrap().set_word(offset, u32::from_le_bytes(word.try_into().unwrap())));
        }
    }
    store.view.set_bts_index(next.index);
    stored.interrupt
}

/// Plays the processor: stores a PEBS record whose instruction pointer is `ip`.
fn precise(store: &mut DsStore<'_>, ip: u64) {
    let buffer = store.view.pebs();
    let (next, stored) = buffer.store(144, AtEnd::Interrupt);
    let offset = stored.at.unwrap() - buffer.base;
    assert!(store.pebs.as_mut().unwrap().set_word(offset + 8, ip as u32));
    store.view.set_pebs_index(next.index);
}

fn froms(records: &[BtsRecord]) -> Vec<u64> {
    records.iter().map(|record| record.from).collect()
}
