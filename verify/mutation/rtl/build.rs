//! Lists the units: each folder beside this file with a `families.rs`.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    println!("cargo::rerun-if-changed={here}");
    let folders = fs::read_dir(&here).expect("the folder of the package can be read");
    let units = folders.filter_map(|entry| {
        let path = entry.expect("the folder of the package can be read").path();
        let name = path.file_name()?.to_str()?.to_owned();
        path.join("families.rs").is_file().then_some(name)
    });
    let mut units: Vec<String> = units.collect();
    units.sort();
    let (mut modules, mut list) = (String::new(), String::new());
    for unit in &units {
        let _ = writeln!(modules, "#[path = {:?}]\nmod {unit};", Path::new(&here).join(unit).join("families.rs"));
        let _ = writeln!(list, "    Unit {{ name: {unit:?}, families: &{unit}::FAMILIES }},");
    }
    let text = format!("{modules}\n/// Every unit, by name.\npub const UNITS: &[Unit] = &[\n{list}];\n");
    fs::write(Path::new(&out).join("units.rs"), text).expect("the output folder can be written");
}
