//! Warnings about values that can be encoded but that the hardware does not use unchanged.

use super::{EVENT_SLOTS, Session};
use crate::lwp::environment::{Drain, Start};
use lwp_model::lwp::{AddressPolicy, FaultPolicy, HeadFlush, LeavePolicy, Misaligned, StoreTiming};
use lwp_regs::lwp::{EVENT_RECORD_BYTES, EventId, LwpMsr0, LwpcbAddr, lwpcb_bytes};

const RECORD: u64 = EVENT_RECORD_BYTES as u64;

pub(super) fn of(session: &Session) -> Vec<String> {
    let mut warnings = Vec::new();
    enabling(session, &mut warnings);
    address(session, &mut warnings);
    buffer(session, &mut warnings);
    offsets(session, &mut warnings);
    threshold(session, &mut warnings);
    events(session, &mut warnings);
    filters(session, &mut warnings);
    memory(session, &mut warnings);
    consumer(session, &mut warnings);
    switches(session, &mut warnings);
    warnings
}

fn enabling(session: &Session, warnings: &mut Vec<String>) {
    if !session.straps.present {
        warnings.push("straps: `present` is false: every operation faults and nothing is recorded".to_owned());
        return;
    }
    let reserved = session.msr0 & !LwpMsr0::writable_mask(session.straps.available());
    if reserved != 0 {
        warnings.push(format!("msr0: bits {reserved:#x} cannot be written: WRMSR raises #GP and LWP stays disabled"));
    } else if session.msr0 & 1 == 0 {
        let fault = match session.start {
            Start::Llwpcb => "LLWPCB raises #UD",
            Start::LwpMsr1 => "WRMSR of LWPMSR1 raises #GP",
        };
        warnings.push(format!("msr0: `enabled` is false: {fault} and nothing is recorded"));
    }
}

fn address(session: &Session, warnings: &mut Vec<String>) {
    let address = session.lwpcb;
    if address == 0 {
        warnings.push("lwpcb.address is 0, which means no control block: nothing is recorded".to_owned());
    } else if !address.is_multiple_of(LwpcbAddr::ALIGN) {
        let operation = if session.start == Start::Llwpcb { "LLWPCB" } else { "WRMSR of LWPMSR1" };
        let what = match session.straps.misaligned {
            Misaligned::Fault => format!("{operation} raises #GP"),
            Misaligned::Truncate => format!("hardware takes {:#x}", address & !(LwpcbAddr::ALIGN - 1)),
        };
        warnings.push(format!("lwpcb.address {address:#x} is not a multiple of 16: {what}"));
    }
    let base = session.image.base & !(RECORD - 1);
    let size = u64::from(session.image.size.buffer_size().get());
    let block = lwpcb_bytes(EVENT_SLOTS) as u64;
    if address.wrapping_sub(base) < size || base.wrapping_sub(address) < block {
        warnings.push(format!("the control block at {address:#x} and the buffer at {base:#x} overlap"));
    }
}

fn buffer(session: &Session, warnings: &mut Vec<String>) {
    let size = u64::from(session.image.size.buffer_size().get());
    if size < 2 * RECORD {
        let what = "hardware needs room for two records (64 bytes) and rejects the block";
        warnings.push(format!("lwpcb.buffer_size {size} is too small: {what}"));
    } else {
        multiple("buffer_size", size, warnings);
    }
    multiple("buffer_base", session.image.base, warnings);
}

fn offsets(session: &Session, warnings: &mut Vec<String>) {
    let size = u64::from(session.image.size.buffer_size().get()) & !(RECORD - 1);
    for (key, offset) in [("head", session.image.head), ("tail", session.image.tail)] {
        let offset = u64::from(offset);
        if offset & !(RECORD - 1) >= size {
            let what = format!("not below the buffer's {size} bytes: hardware rejects the block");
            warnings.push(format!("lwpcb.{key} {offset} is {what}"));
        } else {
            multiple(key, offset, warnings);
        }
    }
}

fn threshold(session: &Session, warnings: &mut Vec<String>) {
    let threshold = u64::from(session.image.threshold);
    let size = u64::from(session.image.size.buffer_size().get());
    multiple("threshold", threshold, warnings);
    if threshold >= size.max(RECORD) {
        warnings.push(format!("lwpcb.threshold {threshold} is never reached in a buffer of {size} bytes"));
    }
    let interrupts = threshold >= RECORD && session.msr0 >> 31 & 1 == 1;
    if session.drain == Drain::Interrupt && !interrupts {
        let why = "the threshold is 0 or interrupts are not enabled";
        warnings.push(format!("consumer: mode is \"interrupt\", but {why}: nobody drains"));
    }
}

fn multiple(key: &str, value: u64, warnings: &mut Vec<String>) {
    if !value.is_multiple_of(RECORD) {
        let taken = value & !(RECORD - 1);
        warnings.push(format!("lwpcb.{key} {value:#x} is not a multiple of 32: hardware takes {taken:#x}"));
    }
}

fn events(session: &Session, warnings: &mut Vec<String>) {
    if session.events == 0 {
        warnings.push("lwpcb has no event: hardware rejects the block".to_owned());
    }
    let mut seen = [false; 64];
    for (slot, image) in session.image.slots.iter().enumerate().take(session.events) {
        let number = image.word.event_id().get();
        let Some(id) = image.word.event() else {
            warnings.push(format!("lwpcb.event {slot} has id 0: the slot is not used"));
            continue;
        };
        if std::mem::replace(&mut seen[usize::from(number)], true) {
            warnings.push(format!("lwpcb.event {slot} selects event {number} again: only the first slot counts"));
        } else if !id.feature().is_some_and(|feature| session.straps.available().contains(feature)) {
            let known = EventId::V1.contains(&id);
            let why = if known { "the straps do not offer it" } else { "there is no such event" };
            warnings.push(format!("lwpcb.event {slot} has id {number}: {why}, the slot is ignored"));
        } else if session.msr0 >> number & 1 == 0 {
            warnings.push(format!("lwpcb.event {slot} has id {number}: not enabled in LWPMSR0, the slot is ignored"));
        }
    }
}

fn memory(session: &Session, warnings: &mut Vec<String>) {
    if session.memory.stall >= 1.0 {
        warnings.push("memory: a `stall` of 1 never grants a request: the run cannot get anywhere".to_owned());
    }
    if session.memory.fault >= 0.5 {
        let what = "LLWPCB needs some fifteen accesses without a fault in a row";
        warnings.push(format!("memory: `fault` is {}: {what} and may never succeed", session.memory.fault));
    }
    if session.memory.fault > 0.0 && session.straps.fault_policy == FaultPolicy::Nonpaged {
        let what = "the straps promise that there are none, and hardware acts as with fault_policy = trap";
        warnings.push(format!("memory: `fault` is {}, but {what}", session.memory.fault));
    }
}

fn filters(session: &Session, warnings: &mut Vec<String>) {
    let filter = session.image.filter;
    if filter.min_latency() != 0 && !session.straps.latency_filter {
        warnings.push("lwpcb.min_latency is ignored: `latency_filter` is false in the straps".to_owned());
    }
    if filter.clf() && !session.straps.level_filter {
        warnings.push("lwpcb.clf is ignored: `level_filter` is false in the straps".to_owned());
    }
}

fn consumer(session: &Session, warnings: &mut Vec<String>) {
    let straps = &session.straps;
    if session.drain == Drain::Interrupt && straps.tail_nth > 1 {
        let what = "the interrupt is requested only if the threshold is met exactly, which such a unit may not notice";
        warnings.push(format!("straps: `tail_nth` is {}: {what}", straps.tail_nth));
    }
    let threshold = u64::from(session.image.threshold);
    if matches!(session.drain, Drain::Periodic(_)) && straps.head_flush == HeadFlush::Deferred && threshold >= RECORD {
        let what = "sees records only once the threshold is reached or the ring is full";
        warnings.push(format!("consumer: with head_flush = deferred a periodic consumer {what}"));
    }
}

fn switches(session: &Session, warnings: &mut Vec<String>) {
    let straps = &session.straps;
    if session.replay_abort > 0.0 && straps.address_policy != AddressPolicy::Replay {
        warnings.push("core.replay_abort means nothing without address_policy = replay".to_owned());
    }
    let Some(every) = session.switch_every else { return };
    let drops = straps.leave_policy == LeavePolicy::Discard && straps.store_timing == StoreTiming::Async;
    // The accesses of one reload of the block and the store of one record.
    let accesses = 4 + EVENT_SLOTS as u64 + 6;
    let busy = accesses * (u64::from(session.memory.latency.1) + 2);
    if drops && every < busy {
        let what = format!("a reload and a store take up to {busy}, and a record on its way is dropped");
        warnings.push(format!("system.switch_every is {every} cycles: {what}; few records may ever be stored"));
    }
}
