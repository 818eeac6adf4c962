//! Breakpoints on instructions, data and ports.

use crate::exceptions::{Exceptions, HANDLER, only};
use crate::registers::set_debugging_extensions;
use crate::serial::say;
use core::arch::{asm, naked_asm};
use core::cell::Cell;
use lwp_regs::bare_metal::BareMetal;
use lwp_regs::debug::{
    Breakpoint, BreakpointLimits, BreakpointSet, DebugCaps, Dr7, Enable, ExceptionClass, Length, Slot, Slots,
};

/// CR4 as this module has it: with debugging extensions, for breakpoints on ports.
const CR4: u64 = 1 << BreakpointLimits::CR4_DE;
/// Distance of the linear addresses at which memory is once more.
const ALIAS: u64 = 1 << 30;

/// Three words of memory that breakpoints watch.
#[repr(align(32))]
struct Words([Cell<u64>; 3]);
// SAFETY: there is one processor, and the handler only reads them.
unsafe impl Sync for Words {}
static WORDS: Words = Words([const { Cell::new(0) }; 3]);

/// Address of the word in the middle.
fn middle() -> u64 {
    WORDS.0[1].as_ptr() as u64
}

pub(crate) fn show(cpu: &mut BareMetal) {
    set_debugging_extensions(true);
    HANDLER.watched.set(Some(&WORDS.0[1]));
    data(cpu);
    enables(cpu);
    overlaps(cpu);
    linear_addresses(cpu);
    instructions(cpu);
    ports(cpu);
    general_detect(cpu);
}

fn set(breakpoints: &[Breakpoint]) -> BreakpointSet {
    let limits = BreakpointLimits::new(&DebugCaps::INTEL_64, CR4);
    let mut set = BreakpointSet::new();
    for (slot, breakpoint) in Slot::ALL.into_iter().zip(breakpoints) {
        set.set(slot, *breakpoint, &limits).expect("a valid breakpoint");
    }
    set
}

/// The exceptions that are taken while `action` runs with these breakpoints.
fn with(cpu: &mut BareMetal, breakpoints: &[Breakpoint], action: impl FnOnce()) -> Exceptions {
    let set = set(breakpoints);
    HANDLER.during(|| {
        // SAFETY: `exception` is the handler.
        let Ok(()) = unsafe { set.arm(cpu) };
        action();
        let Ok(_) = Dr7::disarm(cpu);
    })
}

/// The breakpoints that are hit while `action` runs, if any.
fn hits(cpu: &mut BareMetal, breakpoints: &[Breakpoint], action: impl FnOnce()) -> Slots {
    let mut taken = with(cpu, breakpoints, action).map(|one| one.debug.expect("a #DB").hits());
    let hits = taken.next().unwrap_or_default();
    assert_eq!(taken.next(), None, "one exception at most");
    hits
}

/// Writes four bytes and returns to the caller; the address is in RDI, the value in RSI.
#[unsafe(naked)]
unsafe extern "sysv64" fn store(_address: u64, _value: u64) {
    naked_asm!("mov [rdi], esi", "ret")
}
/// Length of its first instruction.
const STORE_BYTES: u64 = 2;
/// Its address.
fn store_address() -> u64 {
    store as *const () as u64
}

fn write(address: u64, value: u32) {
    // SAFETY: `address` is within `WORDS`, or where that is once more.
    unsafe { store(address, u64::from(value)) }
}

fn read_byte(address: u64) -> u8 {
    let value;
    // SAFETY: `address` is within `WORDS`.
    unsafe { asm!("mov {}, [{}]", out(reg_byte) value, in(reg) address, options(nostack, preserves_flags)) };
    value
}

fn data(cpu: &mut BareMetal) {
    let breakpoint = Breakpoint::write(middle(), Length::Four);
    let one = only(with(cpu, &[breakpoint], || write(middle(), 0x1234)));
    let debug = one.debug.expect("a #DB");
    assert_eq!((one.vector, debug.hits(), debug.class()), (1, Slots::DR0, ExceptionClass::Trap));
    assert_eq!(one.rip, store_address() + STORE_BYTES, "the next instruction");
    assert_eq!(one.memory, 0x1234, "the store is done");
    say!("ok: a write breakpoint is a trap behind the store");

    assert_eq!(hits(cpu, &[breakpoint], || _ = read_byte(middle())), Slots::empty());
    let breakpoint = Breakpoint::read_write(middle(), Length::Four);
    assert_eq!(hits(cpu, &[breakpoint], || _ = read_byte(middle() + 3)), Slots::DR0);
    assert_eq!(hits(cpu, &[breakpoint], || write(middle(), 0)), Slots::DR0);
    say!("ok: a read/write breakpoint is hit by reads and writes, a write breakpoint by writes only");
}

fn enables(cpu: &mut BareMetal) {
    let breakpoint = Breakpoint::write(middle(), Length::One);
    for enable in [Enable::LOCAL, Enable::GLOBAL, Enable::all(), Enable::empty()] {
        let expected = if enable.is_empty() { Slots::empty() } else { Slots::DR0 };
        assert_eq!(hits(cpu, &[breakpoint.enabled(enable)], || write(middle(), 0)), expected, "{enable:?}");
    }
    say!("ok: L alone and G alone enable a breakpoint");
}

/// With aligned accesses only: for misaligned ones near a breakpoint, QEMU 7.2 takes more bytes than they have.
fn overlaps(cpu: &mut BareMetal) {
    for length in [Length::One, Length::Two, Length::Four, Length::Eight] {
        let breakpoint = Breakpoint::read_write(middle() + 8 - length.bytes(), length);
        let range = breakpoint.address..breakpoint.address + length.bytes();
        for address in middle() - 8..middle() + 16 {
            let expected = |hit| if hit { Slots::DR0 } else { Slots::empty() };
            let by_read = hits(cpu, &[breakpoint], || _ = read_byte(address));
            assert_eq!(by_read, expected(range.contains(&address)), "{length:?} {address:#x}");
            if address % 4 == 0 {
                let by_write = hits(cpu, &[breakpoint], || write(address, 0));
                let touched = address < range.end && range.start < address + 4;
                assert_eq!(by_write, expected(touched), "{length:?} {address:#x}");
            }
        }
    }
    say!("ok: a breakpoint is hit by an access to any of its bytes");
}

fn linear_addresses(cpu: &mut BareMetal) {
    let breakpoint = Breakpoint::write(middle() + ALIAS, Length::Four);
    assert_eq!(hits(cpu, &[breakpoint], || write(middle(), 0)), Slots::empty());
    assert_eq!(hits(cpu, &[breakpoint], || write(middle() + ALIAS, 0)), Slots::DR0);
    say!("ok: the linear address counts, not the physical one");
}

fn instructions(cpu: &mut BareMetal) {
    let start = store_address();
    write(middle(), 1);
    let mut taken = with(cpu, &[Breakpoint::execute(start)], || {
        write(middle(), 2);
        write(middle(), 3);
    });
    for before in [1, 2] {
        let one = taken.next().expect("a #DB for each call");
        let debug = one.debug.expect("a #DB");
        assert_eq!((one.rip, debug.hits(), debug.class()), (start, Slots::DR0, ExceptionClass::Fault));
        assert_eq!(one.memory, before, "the store is not done");
        assert!(!one.flags.rf(), "setting RF is left to the handler");
    }
    assert!(taken.next().is_none(), "RF, which the handler has set, lets the instruction pass once");
    assert_eq!(WORDS.0[1].get(), 3);
    say!("ok: an instruction breakpoint is a fault before the instruction, and RF passes it");
}

/// Writes to DX and reads from it; returns the addresses behind the two instructions.
fn output_and_input(port: u16) -> [u64; 2] {
    let (output, input): (u64, u64);
    // SAFETY: used with the port of POST codes, where nothing is.
    unsafe {
        asm!(
            "out dx, al",
            "2: in al, dx",
            "3: lea {output}, [rip + 2b]",
            "lea {input}, [rip + 3b]",
            output = out(reg) output,
            input = out(reg) input,
            in("dx") port,
            inout("al") 0_u8 => _,
            options(preserves_flags),
        );
    }
    [output, input]
}

fn ports(cpu: &mut BareMetal) {
    const POST_CODE: u16 = 0x80;
    let mut behind = [0; 2];
    let taken = with(cpu, &[Breakpoint::io(POST_CODE, Length::One)], || behind = output_and_input(POST_CODE));
    let seen = taken.map(|one| (one.rip, one.debug.map(|debug| (debug.hits(), debug.class()))));
    assert!(seen.eq(behind.map(|rip| (rip, Some((Slots::DR0, ExceptionClass::Trap))))));

    let mut others = with(cpu, &[Breakpoint::io(POST_CODE, Length::One)], || _ = output_and_input(POST_CODE + 1));
    assert_eq!(others.next(), None);
    say!("ok: an I/O breakpoint is a trap behind input or output");
}

/// Not every emulator has it.
fn general_detect(cpu: &mut BareMetal) {
    let mut taken = HANDLER.during(|| {
        // SAFETY: `exception` is the handler.
        let Ok(()) = unsafe { Dr7::DR.write(cpu, Dr7::RESET.with_gd(true)) };
        let Ok(_) = Dr7::read(cpu);
    });
    match taken.next().and_then(|one| one.debug) {
        Some(debug) => {
            assert!(debug.status().bd() && !debug.control().gd());
            assert_eq!(debug.class(), ExceptionClass::Fault);
            say!("ok: general detect");
        }
        None => say!("not shown: general detect, which this machine lacks"),
    }
    let Ok(_) = Dr7::disarm(cpu);
}
