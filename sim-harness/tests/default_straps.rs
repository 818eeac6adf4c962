//! The default straps of each unit's package are those of its model.

use sim_harness::lockstep::Field;
use sim_harness::rtl::BuildId;
use sim_harness::unit::{UNITS, Unit};
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The packed struct of these straps: its first field is the highest.
fn packed(fields: &[Field], words: &[u32]) -> String {
    let values: Vec<String> = fields.iter().map(|field| format!("{}'h{:x}", field.width, field.of(words))).collect();
    format!("{{{}}}", values.join(", "))
}

/// What Verilator says of a module that fails to elaborate if the package's constant is another.
fn elaborated(unit: &Unit, words: &[u32]) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let (name, module) = (unit.name, folder.path().join("defaults.sv"));
    let list = BuildId::of_unit(name).next().unwrap().info().file_list;
    let wanted = packed(unit.capsule.straps, words);
    let text = format!(
        "module defaults;\n  if ({name}_config_pkg::ConfigDefault != {wanted}) $error(\"other straps\");\n\
         \n  if ($bits({name}_pkg::config_t) != $bits({wanted})) $error(\"other widths\");\nendmodule\n"
    );
    fs::write(&module, text).unwrap();
    let program = env::var("VERILATOR").unwrap_or_else(|_| "verilator".to_owned());
    let mut command = Command::new(program);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl"));
    let output = command.args(["--lint-only", "--top-module", "defaults", "-f", list]).arg(&module).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(said) }
}

#[test]
fn the_packages_have_the_defaults_of_the_models() {
    for unit in UNITS {
        let mut words = (unit.capsule.default_straps)();
        assert_eq!(elaborated(unit, &words), Ok(()), "{}", unit.name);
        // The comparison sees every strap.
        for strap in unit.capsule.straps {
            words[strap.word] ^= 1 << strap.lsb;
            let said = elaborated(unit, &words).expect_err(strap.name);
            assert!(said.contains("other straps"), "{}: {said}", strap.name);
            words[strap.word] ^= 1 << strap.lsb;
        }
    }
}
