//! Programs from their source, by the assembler and the linker of binutils.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use thiserror::Error;

use super::elf::ImageError;
use super::image::Image;

const ASSEMBLER: &str = "ia64-linux-gnu-as";
const LINKER: &str = "ia64-linux-gnu-ld";

/// The reason why a program could not be made from its source.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AssembleError {
    /// A tool is not installed.
    #[error("{0} is not installed: apt-get install binutils-ia64-linux-gnu (`make setup` does it too)")]
    NoTool(&'static str),
    /// A tool cannot be started.
    #[error("cannot start {tool}")]
    Start {
        /// The tool.
        tool: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A tool refuses its input.
    #[error("{tool} refuses `{}`:\n{messages}", source_file.display())]
    Refused {
        /// The tool.
        tool: &'static str,
        /// The source of the program.
        source_file: PathBuf,
        /// What the tool printed.
        messages: String,
    },
    /// The program cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The program is not one that can be executed.
    #[error(transparent)]
    Image(#[from] ImageError),
}

/// Assembles a source and links it by a script, both into a folder, and returns the file of the program.
///
/// # Errors
/// A tool is missing, or refuses the source.
pub fn assemble(source: &Path, script: &Path, folder: &Path) -> Result<PathBuf, AssembleError> {
    let stem = source.file_stem().unwrap_or(OsStr::new("program"));
    let (object, program) = (folder.join(stem).with_extension("o"), folder.join(stem).with_extension("elf"));
    run(source, ASSEMBLER, Command::new(ASSEMBLER).arg("-x").arg("-o").arg(&object).arg(source))?;
    let mut linker = Command::new(LINKER);
    run(source, LINKER, linker.arg("-static").arg("-T").arg(script).arg("-o").arg(&program).arg(&object))?;
    Ok(program)
}

/// Assembles, links and loads a source.
///
/// # Errors
/// As [`assemble`], or the program cannot be loaded.
pub fn assemble_image(source: &Path, script: &Path, folder: &Path) -> Result<Image, AssembleError> {
    let path = assemble(source, script, folder)?;
    let file = fs::read(&path).map_err(|source| AssembleError::Read { path, source })?;
    Ok(Image::load(&file)?)
}

pub(super) fn run(source: &Path, tool: &'static str, command: &mut Command) -> Result<(), AssembleError> {
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => AssembleError::NoTool(tool),
        _ => AssembleError::Start { tool, source: error },
    })?;
    // A warning is an error too: it may say that instructions depend on each other within a group.
    if output.status.success() && output.stderr.is_empty() {
        return Ok(());
    }
    let messages = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    Err(AssembleError::Refused { tool, source_file: source.to_owned(), messages })
}
