//! The program: an ELF file, or a source that is assembled.

use super::error::RunError;
use crate::itanium::ia64::{AssembleError, Image, assemble_image};
use std::fs;
use std::path::Path;

/// The script by which a source is linked.
const SCRIPT: &str = include_str!("../../../programs/ia64/program.ld");

/// Loads a program. A source (`.s`) is assembled and linked by binutils first.
pub(super) fn load(path: &Path) -> Result<Image, RunError> {
    let unreadable = |source| RunError::Unreadable { path: path.to_owned(), source };
    if path.extension().is_some_and(|extension| extension == "s") {
        fs::metadata(path).map_err(unreadable)?;
        let folder = tempfile(path)?;
        let script = folder.path().join("program.ld");
        fs::write(&script, SCRIPT).map_err(unreadable)?;
        return assemble_image(path, &script, folder.path()).map_err(RunError::from);
    }
    let file = fs::read(path).map_err(unreadable)?;
    Image::load(&file).map_err(|error| RunError::from(AssembleError::from(error)))
}

/// A folder for what the assembler writes.
fn tempfile(path: &Path) -> Result<crate::report::TemporaryFolder, RunError> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let (object, program) = (format!("{stem}.o"), format!("{stem}.elf"));
    let files = ["program.ld", object.as_str(), program.as_str()];
    let folder = crate::report::TemporaryFolder::create(&std::env::temp_dir(), "lwp-sim-itanium-", &files);
    folder.map_err(|source| RunError::Unreadable { path: path.to_owned(), source })
}
