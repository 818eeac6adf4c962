//! The flat SystemVerilog top of a unit: the text that the harness verilates, for simulators and tools outside it.

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

/// Writes `<unit>_flat.sv` and `<unit>_flat_packed.sv` of a build to `folder`, and returns their paths. `name` is `<unit>_<build>`,
/// `lwp_w4`. The module parameters have the sizes of the build; those that do not change the rows may be set to others. A file that
/// would not change is not touched.
///
/// # Errors
///
/// [`io::ErrorKind::NotFound`] if no build has this name; the message lists the names. Otherwise, the folder or a file cannot be written.
pub fn write(name: &str, folder: &Path) -> io::Result<[PathBuf; 2]> {
    let builds = || units::UNITS.iter().flat_map(|unit| unit.builds.iter().map(move |build| (unit, build)));
    let name_of = |(unit, build): (&units::Unit, &units::Build)| format!("{}_{}", unit.name, build.name);
    let Some((unit, build)) = builds().find(|build| name_of(*build) == name) else {
        let names: Vec<_> = builds().map(name_of).collect();
        let text = format!("no build `{name}`; the builds are {}", names.join(", "));
        return Err(io::Error::new(io::ErrorKind::NotFound, text));
    };
    fs::create_dir_all(folder)?;
    let files = ["flat", "flat_packed"].map(|module| folder.join(format!("{}_{module}.sv", unit.name)));
    for (file, text) in files.iter().zip([flat::top(unit, build), packed::packed(unit, build)]) {
        if !fs::read_to_string(file).is_ok_and(|old| old == text) {
            fs::write(file, text)?;
        }
    }
    Ok(files)
}
