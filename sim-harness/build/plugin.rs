//! Builds the QEMU plugin that `lwp-sim capture` carries inside itself.

use std::env;
use std::path::Path;
use std::process::Command;

/// Compiles `qemu-plugin/src/lib.rs` into `out_dir/lwp_qemu_plugin.so`.
///
/// It is compiled for the machine that the build runs for, by the compiler that cargo uses, and
/// depends on nothing but the standard library; so it needs no cargo of its own.
///
/// # Panics
/// If the compiler cannot be run or reports an error, which fails the build with that message.
pub(crate) fn build_plugin(out_dir: &Path) {
    let root = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let source = Path::new(&root).join("qemu-plugin/src");
    println!("cargo::rerun-if-changed={}", source.display());
    let rustc = env::var_os("RUSTC").expect("cargo sets RUSTC");
    let target = env::var_os("TARGET").expect("cargo sets TARGET");
    let mut command = Command::new(rustc);
    command.args(["--crate-type", "cdylib", "--crate-name", "lwp_qemu_plugin", "--edition", "2024"]);
    command.args(["-O", "-C", "panic=abort", "--target"]).arg(target);
    command.arg("-o").arg(out_dir.join("lwp_qemu_plugin.so")).arg(source.join("lib.rs"));
    let status = command.status().expect("rustc can be run");
    assert!(status.success(), "the QEMU plugin does not compile");
}
