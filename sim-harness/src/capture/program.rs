//! The search for programs.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::CaptureError;
use crate::traces::elf;

/// The names of QEMU's user-mode emulation. The static one usually cannot load plugins and is the last resort.
const QEMU: [&str; 2] = ["qemu-x86_64", "qemu-x86_64-static"];

/// A program that can be captured.
#[derive(Clone, Debug)]
pub struct Program {
    /// The path of its file.
    pub path: PathBuf,
    /// The name that the user gave, which is the program's first argument.
    pub name: OsString,
    /// The other arguments.
    pub args: Vec<OsString>,
    /// The path of the emulator.
    pub(super) qemu: PathBuf,
}

impl Program {
    /// Finds the first word of `command` as a shell would, and the emulator.
    ///
    /// # Errors
    /// If the program does not exist, if it is not an x86-64 ELF program, or if QEMU is missing.
    pub fn find(command: &[OsString]) -> Result<Self, CaptureError> {
        let (name, args) = command.split_first().ok_or(CaptureError::NoCommand)?;
        let path = find(name)?;
        let kind = elf::kind(&path).map_err(|source| CaptureError::Unreadable { path: path.clone(), source })?;
        match kind {
            elf::Kind::X86_64 => {}
            elf::Kind::Script(interpreter) => return Err(CaptureError::Script { path, interpreter }),
            elf::Kind::OtherElf(what) => return Err(CaptureError::NotX86 { path, what }),
            elf::Kind::Unknown => return Err(CaptureError::NotX86 { path, what: "it is no ELF file".to_owned() }),
        }
        if !is_executable(&path) {
            return Err(CaptureError::NotExecutable { path });
        }
        let qemu = QEMU.iter().find_map(|name| in_path(OsStr::new(name))).ok_or(CaptureError::NoQemu)?;
        Ok(Self { path, name: name.clone(), args: args.to_vec(), qemu })
    }
}

/// Returns the file for a name: the path itself if it contains a slash, otherwise the first match in `PATH`.
fn find(name: &OsStr) -> Result<PathBuf, CaptureError> {
    let absent = |help: &str| CaptureError::NoProgram { name: name.display().to_string(), help: help.to_owned() };
    if !name.as_encoded_bytes().contains(&b'/') {
        return in_path(name)
            .ok_or_else(|| absent("it is in no directory of PATH; a program in the current directory is `./NAME`"));
    }
    let path = PathBuf::from(name);
    if path.is_dir() {
        return Err(absent("that is a directory"));
    }
    if path.exists() { Ok(path) } else { Err(absent("check the path")) }
}

/// Returns the first executable file of this name in the directories of `PATH`.
fn in_path(name: &OsStr) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|directory| directory.join(name)).find(|file| is_executable(file))
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}
