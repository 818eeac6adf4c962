//! The flat SystemVerilog top of a unit: the text that the harness verilates, for simulators and tools outside it; and the checker that
//! runs the model beside the RTL there.

mod check;
#[path = "../../build/flat.rs"]
mod flat;
mod packed;
#[path = "../../build/ports.rs"]
mod ports;
#[path = "../../build/units.rs"]
#[allow(dead_code, reason = "the harness uses the rest of the list")]
mod units;

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The files of a build.
#[derive(Clone, Debug)]
pub struct Files {
    /// `<unit>_flat.sv` and `<unit>_flat_packed.sv`: the flat top.
    pub flat: [PathBuf; 2],
    /// `<unit>_model_check.sv` and `<unit>_model_bind.sv`: the checker, and what binds it to each instance of the unit.
    pub checker: [PathBuf; 2],
}

/// Returns the names of all builds, `<unit>_<build>`.
pub fn builds() -> impl Iterator<Item = String> {
    named().map(|(name, ..)| name)
}

fn named() -> impl Iterator<Item = (String, &'static units::Unit, &'static units::Build)> {
    units::UNITS
        .iter()
        .flat_map(|unit| unit.builds.iter().map(move |build| (format!("{}_{}", unit.name, build.name), unit, build)))
}

/// Writes the files of a build to `folder`. `name` is `<unit>_<build>`, `lwp_w4`. The module parameters have the sizes of the build; those that do not change the rows may be set to others. A file that
/// would not change is not touched.
///
/// # Errors
///
/// [`io::ErrorKind::NotFound`] if no build has this name; the message lists the names. Otherwise, the folder or a file cannot be written.
pub fn write(name: &str, folder: &Path) -> io::Result<Files> {
    let Some((_, unit, build)) = named().find(|(of, ..)| of == name) else {
        let text = format!("no build `{name}`; the builds are {}", builds().collect::<Vec<_>>().join(", "));
        return Err(io::Error::new(io::ErrorKind::NotFound, text));
    };
    let flat = [("flat", flat::top(unit, build)), ("flat_packed", packed::packed(unit, build))];
    Ok(Files { flat: put(unit, flat, folder)?, checker: write_checker(unit, build, folder)? })
}

/// Writes the checkers of all builds, each to the folder of its name in `folder`.
///
/// # Errors
///
/// A folder or a file cannot be written.
pub fn write_checkers(folder: &Path) -> io::Result<()> {
    named().try_for_each(|(name, unit, build)| write_checker(unit, build, &folder.join(name)).map(drop))
}

fn write_checker(unit: &units::Unit, build: &units::Build, folder: &Path) -> io::Result<[PathBuf; 2]> {
    put(unit, [("model_check", check::checker(unit, build)), ("model_bind", check::bind(unit, build))], folder)
}

/// Writes modules of a unit. A file that would not change is not touched.
fn put<const N: usize>(unit: &units::Unit, modules: [(&str, String); N], folder: &Path) -> io::Result<[PathBuf; N]> {
    fs::create_dir_all(folder)?;
    let files = modules.each_ref().map(|(module, _)| folder.join(format!("{}_{module}.sv", unit.name)));
    for (file, (_, text)) in files.iter().zip(modules) {
        if !fs::read_to_string(file).is_ok_and(|old| old == text) {
            fs::write(file, text)?;
        }
    }
    Ok(files)
}
