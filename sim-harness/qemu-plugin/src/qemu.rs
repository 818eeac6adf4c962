//! The part of QEMU's plugin interface, version 1, that is used here (`qemu-plugin.h` of QEMU 7.2).

use std::ffi::{c_char, c_int, c_uint, c_void};

/// QEMU's handle of this plugin.
pub(crate) type PluginId = u64;

/// Description of a memory access, to be taken apart by QEMU's own functions.
pub(crate) type MemInfo = u32;

/// `QEMU_PLUGIN_CB_NO_REGS`: the callback reads no guest registers.
pub(crate) const NO_REGS: c_int = 0;

/// `QEMU_PLUGIN_MEM_RW`: all accesses.
pub(crate) const ALL_ACCESSES: c_int = 3;

/// A block of guest code that is being translated.
#[repr(C)]
pub(crate) struct Block {
    _opaque: [u8; 0],
}

/// One instruction of such a block.
#[repr(C)]
pub(crate) struct Instruction {
    _opaque: [u8; 0],
}

/// Called when a block is translated.
pub(crate) type OnTranslate = extern "C" fn(PluginId, *mut Block);
/// Called before an instruction is executed: virtual CPU, user data.
pub(crate) type OnExecute = extern "C" fn(c_uint, *mut c_void);
/// Called after a memory access: virtual CPU, description, address, user data.
pub(crate) type OnMemory = extern "C" fn(c_uint, MemInfo, u64, *mut c_void);
/// Called before a system call: plugin, virtual CPU, number, eight arguments.
pub(crate) type OnSyscall = extern "C" fn(PluginId, c_uint, i64, u64, u64, u64, u64, u64, u64, u64, u64);
/// Called after a system call: plugin, virtual CPU, number, result.
pub(crate) type OnSyscallReturn = extern "C" fn(PluginId, c_uint, i64, i64);

unsafe extern "C" {
    pub(crate) fn qemu_plugin_register_vcpu_tb_trans_cb(id: PluginId, callback: OnTranslate);
    pub(crate) fn qemu_plugin_register_vcpu_syscall_cb(id: PluginId, callback: OnSyscall);
    pub(crate) fn qemu_plugin_register_vcpu_syscall_ret_cb(id: PluginId, callback: OnSyscallReturn);
    pub(crate) fn qemu_plugin_tb_n_insns(block: *const Block) -> usize;
    pub(crate) fn qemu_plugin_tb_get_insn(block: *const Block, index: usize) -> *mut Instruction;
    pub(crate) fn qemu_plugin_insn_data(instruction: *const Instruction) -> *const c_void;
    pub(crate) fn qemu_plugin_insn_size(instruction: *const Instruction) -> usize;
    pub(crate) fn qemu_plugin_insn_vaddr(instruction: *const Instruction) -> u64;
    pub(crate) fn qemu_plugin_register_vcpu_insn_exec_cb(
        instruction: *mut Instruction,
        callback: OnExecute,
        flags: c_int,
        data: *mut c_void,
    );
    pub(crate) fn qemu_plugin_register_vcpu_mem_cb(
        instruction: *mut Instruction,
        callback: OnMemory,
        flags: c_int,
        accesses: c_int,
        data: *mut c_void,
    );
    /// Binary logarithm of the size of an access in bytes.
    pub(crate) safe fn qemu_plugin_mem_size_shift(info: MemInfo) -> c_uint;
    /// Whether an access stores; an atomic access that loads and stores does.
    pub(crate) safe fn qemu_plugin_mem_is_store(info: MemInfo) -> bool;
}

/// The plugin's arguments, as QEMU hands them to `qemu_plugin_install`.
///
/// # Safety
/// `arguments` points to `count` strings that end in a zero byte.
pub(crate) unsafe fn argument(count: c_int, arguments: *const *const c_char, key: &[u8]) -> Option<Vec<u8>> {
    for index in 0..usize::try_from(count).ok()? {
        // SAFETY: the caller vouches for `count` pointers.
        let place = unsafe { arguments.add(index) };
        // SAFETY: as above, the place is inside the array.
        let text = unsafe { *place };
        // SAFETY: the caller vouches for the zero byte.
        let text = unsafe { std::ffi::CStr::from_ptr(text) };
        if let Some(value) = text.to_bytes().strip_prefix(key) {
            return Some(value.to_vec());
        }
    }
    None
}
