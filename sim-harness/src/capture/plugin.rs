//! The QEMU plugin, which is embedded in this program.

use std::io;
use std::path::{Path, PathBuf};

/// The shared object, as the build script compiled it from `qemu-plugin/`.
const PLUGIN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/lwp_qemu_plugin.so"));

/// Name of the plugin's file.
pub(super) const FILE: &str = "lwp_qemu_plugin.so";

/// Writes the plugin into `directory` and returns its path.
pub(super) fn unpack(directory: &Path) -> io::Result<PathBuf> {
    let path = directory.join(FILE);
    std::fs::write(&path, PLUGIN)?;
    Ok(path)
}
