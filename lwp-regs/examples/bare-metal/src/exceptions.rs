//! The handler of exceptions: does what a debugger does, and keeps what it saw.

use core::arch::{asm, global_asm};
use core::array::IntoIter;
use core::cell::Cell;
use core::iter::Flatten;
use lwp_regs::bare_metal::BareMetal;
use lwp_regs::debug::{Cpl, DebugEntry, DebugFrame, Eflags};

global_asm!(include_str!("exceptions.s"));

const DB: u64 = 1;
const BP: u64 = 3;
const UD: u64 = 6;

/// What is on the stack of the handler.
#[repr(C)]
struct Frame {
    general: [u64; 15],
    vector: u64,
    error_code: u64,
    rip: u64,
    cs: u64,
    flags: u64,
    rsp: u64,
    ss: u64,
}

/// An exception that was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Taken {
    pub(crate) vector: u64,
    pub(crate) rip: u64,
    /// The saved flags.
    pub(crate) flags: Eflags,
    /// The flags in the handler.
    pub(crate) flags_inside: Eflags,
    /// DR6 and DR7, if it is a #DB.
    pub(crate) debug: Option<DebugEntry>,
    /// The memory at [`Handler::watched`], if it is a #DB.
    pub(crate) memory: u64,
}

/// What the handler is told, and what it tells.
pub(crate) struct Handler {
    taken: Cell<[Option<Taken>; MOST]>,
    count: Cell<usize>,
    /// Where single steps end.
    pub(crate) step_until: Cell<u64>,
    /// Where an instruction that does not exist is left for.
    pub(crate) after_invalid: Cell<u64>,
    /// Eight bytes that the handler looks at.
    pub(crate) watched: Cell<Option<&'static Cell<u64>>>,
}

// SAFETY: there is one processor, no interrupt is enabled, and no handler is interrupted by another one.
unsafe impl Sync for Handler {}

pub(crate) static HANDLER: Handler = Handler {
    taken: Cell::new([None; MOST]),
    count: Cell::new(0),
    step_until: Cell::new(0),
    after_invalid: Cell::new(0),
    watched: Cell::new(None),
};

/// At most so many exceptions are kept.
const MOST: usize = 16;
/// Exceptions in the order in which they were taken.
pub(crate) type Exceptions = Flatten<IntoIter<Option<Taken>, MOST>>;

/// The only one of `exceptions`.
pub(crate) fn only(mut exceptions: Exceptions) -> Taken {
    match (exceptions.next(), exceptions.next()) {
        (Some(one), None) => one,
        others => panic!("one exception was to be taken, but it is {others:#x?}"),
    }
}

impl Handler {
    /// The exceptions that are taken while `action` runs.
    pub(crate) fn during(&self, action: impl FnOnce()) -> Exceptions {
        self.count.set(0);
        self.taken.set([None; MOST]);
        action();
        self.taken.get().into_iter().flatten()
    }

    fn keep(&self, one: Taken) {
        let mut taken = self.taken.get();
        let count = self.count.get();
        assert!(count < taken.len(), "too many exceptions: {one:#x?}");
        taken[count] = Some(one);
        self.taken.set(taken);
        self.count.set(count + 1);
    }
}

#[unsafe(no_mangle)]
extern "C" fn exception(frame: &mut Frame) {
    let flags = Eflags::from_bits(frame.flags);
    let mut taken = Taken {
        vector: frame.vector,
        rip: frame.rip,
        flags,
        flags_inside: Eflags::from_bits(current_flags()),
        debug: None,
        memory: 0,
    };
    match frame.vector {
        DB => debug_exception(frame, &mut taken),
        BP => {}
        UD if HANDLER.after_invalid.get() != 0 => frame.rip = HANDLER.after_invalid.take(),
        vector => panic!("exception {vector}, error code {:#x}, at {:#x}", frame.error_code, frame.rip),
    }
    HANDLER.keep(taken);
}

/// What `lwp-regs` has for a handler of #DB: look, decide how to go on, switch on again.
fn debug_exception(frame: &mut Frame, taken: &mut Taken) {
    // SAFETY: privilege level 0, the only processor, and the debug registers are ours.
    let mut cpu = unsafe { BareMetal::new() };
    let Ok(entry) = DebugEntry::enter(&mut cpu);
    taken.debug = Some(entry);
    // Not before the breakpoints are off: reading it may hit one.
    taken.memory = HANDLER.watched.get().map_or(0, Cell::get);

    let mut seen = DebugFrame { ip: frame.rip, cs: frame.cs as u16, flags: Eflags::from_bits(frame.flags) };
    seen.flags = entry.resume(seen.flags);
    entry.step(&mut seen, |level| level == Cpl::SYSTEM && frame.rip != HANDLER.step_until.get());
    frame.flags = seen.flags.into_bits();
    // SAFETY: this is the handler that expects the breakpoints.
    let Ok(()) = unsafe { entry.leave(&mut cpu) };
}

fn current_flags() -> u64 {
    let flags;
    // SAFETY: reads the flags by way of the stack.
    unsafe { asm!("pushfq", "pop {}", out(reg) flags, options(preserves_flags)) };
    flags
}

/// Loads the table of handlers.
pub(crate) fn install() {
    unsafe extern "C" {
        static exception_entries: [u64; 15];
    }
    struct Table(Cell<[[u64; 2]; 15]>);
    // SAFETY: as for `Handler`.
    unsafe impl Sync for Table {}
    static TABLE: Table = Table(Cell::new([[0; 2]; 15]));

    // SAFETY: a constant table in exceptions.s.
    let entries = unsafe { exception_entries };
    TABLE.0.set(entries.map(|entry| {
        // Present, 64-bit interrupt gate, level 0; code segment 8; the address is in three parts.
        let gate = 0x8E00 << 32 | 0x08 << 16 | entry & 0xFFFF | (entry & 0xFFFF_0000) << 32;
        if entry == 0 { [0; 2] } else { [gate, entry >> 32] }
    }));
    #[repr(C, packed)]
    struct Pointer {
        limit: u16,
        base: u64,
    }
    let pointer = Pointer { limit: 15 * 16 - 1, base: TABLE.0.as_ptr() as u64 };
    // SAFETY: the table lives as long as the kernel.
    unsafe { asm!("lidt [{}]", in(reg) &raw const pointer, options(nostack, preserves_flags)) };
}
