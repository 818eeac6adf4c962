//! A TCG plugin for QEMU's user-mode emulation that tells which instructions a program retires, and
//! what they load and store.
//!
//! Loaded by `lwp-sim capture` with `-plugin FILE,out=RING`. `RING` is a file with a ring in
//! shared memory; a file of the same name with `.maps` appended gets the lines of `/proc/self/maps`
//! that the guest's code comes from.
//!
//! Records are 32-bit words; the two top bits of the first one say what it is:
//!
//! | bits | words | content |
//! |---|---|---|
//! | 00 | 1 | the instruction with the number in the low 30 bits is executed |
//! | 01 | 3 | it loads: binary logarithm of the size in the low 8 bits; address, low word first |
//! | 11 | 3 | it stores: as above |
//! | 10 | 8 | a new instruction: number in the low 30 bits; address, low word first; length; 16 bytes of code |
//!
//! An instruction is announced before it is executed for the first time. Only the first virtual CPU,
//! which is the program's first thread, is recorded; the instructions of the others are counted.
//! A forked child writes nothing.

mod mappings;
mod qemu;
mod ring;

use std::ffi::{OsString, c_char, c_int, c_uint, c_void};
use std::fs::File;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use mappings::Mappings;
use qemu::{Block, Instruction, MemInfo, PluginId};
use ring::Ring;

/// The version of the plugin interface that this plugin uses.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "QEMU looks for this name")]
pub static qemu_plugin_version: c_int = 1;

/// Marks of a record's first word.
const LOAD: u32 = 1 << 30;
const NEW: u32 = 2 << 30;
const STORE: u32 = 3 << 30;
/// Words of a record that announces an instruction.
const NEW_WORDS: usize = 8;
/// Longest instruction, and bytes of code in a record.
const CODE_BYTES: usize = 16;

/// System calls that replace the program: `execve` and `execveat` of x86-64.
const EXECVE: [i64; 2] = [59, 322];

/// Everything that callbacks share.
struct Tracer {
    ring: Ring,
    translated: Mutex<Translated>,
    /// Whether `translated` holds announcements.
    pending: AtomicBool,
}

/// What translation leaves for execution. Any thread translates, only the first one writes.
struct Translated {
    count: u32,
    announcements: Vec<[u32; NEW_WORDS]>,
    mappings: Mappings,
}

static TRACER: OnceLock<Tracer> = OnceLock::new();

unsafe extern "C" {
    fn pthread_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
    ) -> c_int;
}

/// QEMU calls this when it loads the plugin.
///
/// # Safety
/// To be called by QEMU: `arguments` points to `count` strings that end in a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qemu_plugin_install(
    id: PluginId,
    _info: *const c_void,
    count: c_int,
    arguments: *const *const c_char,
) -> c_int {
    // SAFETY: QEMU vouches for its arguments.
    let out = unsafe { qemu::argument(count, arguments, b"out=") };
    let Some(tracer) = out.and_then(|out| Tracer::open(OsString::from_vec(out))) else {
        eprintln!("lwp plugin: needs out=FILE with a ring that lwp-sim has made");
        return 1;
    };
    if TRACER.set(tracer).is_err() {
        return 1;
    }
    // SAFETY: the handler is a function without arguments that only stores to atomics.
    if unsafe { pthread_atfork(None, None, Some(on_forked_child)) } != 0 {
        return 1;
    }
    // SAFETY: `id` is the one QEMU gave us; the callback has the type that the interface asks for.
    unsafe { qemu::qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate) };
    // SAFETY: as above.
    unsafe { qemu::qemu_plugin_register_vcpu_syscall_cb(id, on_syscall) };
    // SAFETY: as above.
    unsafe { qemu::qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_return) };
    0
}

impl Tracer {
    fn open(out: OsString) -> Option<Self> {
        let ring = Ring::open(&PathBuf::from(&out))?;
        let mut maps = out;
        maps.push(".maps");
        let mappings = Mappings::new(File::create(maps).ok()?);
        let translated = Translated { count: 0, announcements: Vec::new(), mappings };
        Some(Self { ring, translated: Mutex::new(translated), pending: AtomicBool::new(false) })
    }

    /// Writes the announcements of instructions that were translated in the meantime.
    #[cold]
    fn announce(&self) {
        // In a forked child the lock may be held by a thread that the child does not have.
        if self.ring.is_silent() {
            return;
        }
        let mut translated = self.translated.lock().unwrap_or_else(PoisonError::into_inner);
        for record in translated.announcements.drain(..) {
            self.ring.put(record);
        }
        self.pending.store(false, Ordering::Relaxed);
    }
}

/// The child of a fork has the same memory: it must not write into the parent's trace.
extern "C" fn on_forked_child() {
    if let Some(tracer) = TRACER.get() {
        tracer.ring.silence();
    }
}

extern "C" fn on_translate(_id: PluginId, block: *mut Block) {
    let Some(tracer) = TRACER.get() else { return };
    if tracer.ring.is_silent() {
        return;
    }
    let mut translated = tracer.translated.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: QEMU passes a block that lives during this call.
    let count = unsafe { qemu::qemu_plugin_tb_n_insns(block) };
    for index in 0..count {
        // SAFETY: as above, and `index` is below the number of instructions.
        let instruction = unsafe { qemu::qemu_plugin_tb_get_insn(block, index) };
        let number = translated.count;
        translated.count = (number + 1) & (LOAD - 1);
        // SAFETY: the instruction is one of the block's.
        let record = unsafe { announcement(instruction, number) };
        let address = u64::from(record[1]) | u64::from(record[2]) << 32;
        translated.mappings.note(address);
        translated.announcements.push(record);
        let data = std::ptr::without_provenance_mut(number as usize);
        // SAFETY: the instruction is one of the block's; the data is a number and never followed.
        unsafe { qemu::qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_execute, qemu::NO_REGS, data) };
        // SAFETY: as above.
        unsafe {
            qemu::qemu_plugin_register_vcpu_mem_cb(instruction, on_access, qemu::NO_REGS, qemu::ALL_ACCESSES, data);
        };
    }
    tracer.pending.store(true, Ordering::Release);
}

/// The record that announces an instruction.
///
/// # Safety
/// `instruction` belongs to the block that is being translated.
unsafe fn announcement(instruction: *const Instruction, number: u32) -> [u32; NEW_WORDS] {
    // SAFETY: the caller vouches for the instruction.
    let address = unsafe { qemu::qemu_plugin_insn_vaddr(instruction) };
    // SAFETY: as above.
    let size = unsafe { qemu::qemu_plugin_insn_size(instruction) }.min(CODE_BYTES);
    // SAFETY: as above.
    let data = unsafe { qemu::qemu_plugin_insn_data(instruction) };
    // SAFETY: QEMU keeps `size` bytes of code there while it translates.
    let code = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) };
    let mut bytes = [0; CODE_BYTES];
    bytes[..size].copy_from_slice(code);
    let mut record = [NEW | number, address as u32, (address >> 32) as u32, size as u32, 0, 0, 0, 0];
    for (word, four) in record[4..].iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*four);
    }
    record
}

extern "C" fn on_execute(cpu: c_uint, data: *mut c_void) {
    let Some(tracer) = TRACER.get() else { return };
    if cpu != 0 {
        tracer.ring.count_other();
        return;
    }
    if tracer.pending.load(Ordering::Acquire) {
        tracer.announce();
    }
    tracer.ring.put([data.addr() as u32]);
}

/// An access. One that loads and stores at once, as an atomic instruction does it, QEMU calls a store; the reader knows which
/// instructions do.
extern "C" fn on_access(cpu: c_uint, info: MemInfo, address: u64, _data: *mut c_void) {
    let Some(tracer) = TRACER.get() else { return };
    if cpu == 0 {
        let what = if qemu::qemu_plugin_mem_is_store(info) { STORE } else { LOAD };
        let size = qemu::qemu_plugin_mem_size_shift(info) & 0xff;
        tracer.ring.put([what | size, address as u32, (address >> 32) as u32]);
    }
}

#[allow(clippy::too_many_arguments, reason = "the interface's own")]
extern "C" fn on_syscall(
    _id: PluginId,
    _cpu: c_uint,
    number: i64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
) {
    if let Some(tracer) = TRACER.get().filter(|_| EXECVE.contains(&number)) {
        tracer.ring.set_replacing(true);
    }
}

extern "C" fn on_syscall_return(_id: PluginId, _cpu: c_uint, number: i64, _result: i64) {
    if let Some(tracer) = TRACER.get().filter(|_| EXECVE.contains(&number)) {
        tracer.ring.set_replacing(false);
    }
}
