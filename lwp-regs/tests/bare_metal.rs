//! Runs the kernel of `examples/bare-metal` under QEMU and looks at what it says. Needs the Debian package
//! qemu-system-x86 and the Rust target x86_64-unknown-none: `tools/scripts/setup rust emulator`.

use std::process::Command;
use std::sync::LazyLock;

/// What the kernel writes to its serial port. It ends with an error if it finds one, or does not end within a minute.
static OUTPUT: LazyLock<String> = LazyLock::new(|| {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--locked", "--target-dir", concat!(env!("CARGO_TARGET_TMPDIR"), "/bare-metal")]);
    // The folder has settings of its own for cargo, which flags for this test program would replace.
    cargo.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bare-metal"));
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_BUILD_TARGET");
    let run = cargo.output().expect("run cargo");
    let (output, errors) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "the kernel failed ({}):\n{output}\n{errors}", run.status);
    output.replace('\r', "")
});

#[track_caller]
fn says(what: &str) {
    let line = format!("ok: {what}");
    assert!(OUTPUT.lines().any(|one| one == line), "the kernel does not say `{line}`:\n{}", *OUTPUT);
}

#[test]
fn identification_and_msrs() {
    says("CPUID");
    says("the time-stamp counter counts");
    says("IA32_TSC_AUX reads back, by RDTSCP too");
}

#[test]
fn debug_registers() {
    says("DR6 and DR7 have their reset values");
    says("breakpoints read back");
}

// DBG-09: the same register as DR6 or DR7 while CR4.DE is 0, #UD while it is 1
#[test]
fn aliases_of_debug_registers() {
    says("DR4 and DR5 by CR4.DE");
}

// DBG-52: the store is done, the saved address is that of the next instruction; and ports
#[test]
fn data_and_io_breakpoints() {
    says("a write breakpoint is a trap behind the store");
    says("a read/write breakpoint is hit by reads and writes, a write breakpoint by writes only");
    says("an I/O breakpoint is a trap behind input or output");
}

// DBG-18, DBG-20: L alone and G alone
#[test]
fn local_and_global_breakpoints() {
    says("L alone and G alone enable a breakpoint");
}

// DBG-29: breakpoints of 1, 2, 4 and 8 bytes, aligned accesses of 1 and 4 bytes
#[test]
fn any_byte_of_an_access() {
    says("a breakpoint is hit by an access to any of its bytes");
}

// DBG-08: a page at two linear addresses
#[test]
fn linear_addresses() {
    says("the linear address counts, not the physical one");
}

// DBG-36: nothing of the instruction is done. DBG-47: RF is not set in the saved flags. DBG-48: the handler sets it, and the
// breakpoint is hit again the next time.
#[test]
fn instruction_breakpoints() {
    says("an instruction breakpoint is a fault before the instruction, and RF passes it");
}

// DBG-64, DBG-14: BS after each instruction. DBG-65: not after the POPF that sets TF. DBG-66: TF is clear in the handler.
#[test]
fn single_steps() {
    says("single steps");
}

// DBG-76: vector 3. DBG-30: and #DB is vector 1, which the kernel checks for every other exception that it expects.
#[test]
fn software_breakpoints() {
    says("INT3 is #BP, and a trap");
}
