//! The files for FuseSoC and Bender name what the file lists name, and FuseSoC's targets work.

use rtl_checks::{file_list, root, run, venv};
use std::process::Command;
use std::{env, fs};
use tempfile::TempDir;

const LISTS: [&str; 3] = ["lwp/lwp.f", "adapters/adapters.f", "examples/self_profiling/self_profiling.f"];

/// Units whose sources depend on the core `retire` and are a target of their own: the other folders with a list of their name.
fn further_units() -> Vec<String> {
    let entries = fs::read_dir(root().join("rtl")).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: std::path::PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let is_unit = |unit: &String| root().join(format!("rtl/{unit}/{unit}.f")).is_file();
    let mut units: Vec<String> = entries.map(name).filter(is_unit).collect();
    units.retain(|unit| !LISTS.contains(&format!("{unit}/{unit}.f").as_str()));
    units.sort();
    units
}

/// The files of a unit's own, without those of the core `retire`.
fn own(unit: &str, shared: &[String]) -> Vec<String> {
    let list = fs::read_to_string(root().join(format!("rtl/{unit}/{unit}.f"))).unwrap();
    let (first, own): (Vec<String>, _) = list.lines().map(str::to_owned).partition(|file| shared.contains(file));
    assert_eq!(first, shared, "{unit}");
    own
}

/// The files of the adapters of a further unit, if it has a list of them.
fn adapters(unit: &str) -> Vec<String> {
    let list = fs::read_to_string(root().join(format!("rtl/adapters/{unit}_adapters.f"))).unwrap_or_default();
    list.lines().map(str::to_owned).collect()
}

/// The SystemVerilog files that a YAML file of the folder `rtl` lists, in order.
fn listed(name: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("rtl").join(name)).unwrap();
    let items = text.lines().filter_map(|line| line.trim().strip_prefix("- "));
    items.filter(|item| item.ends_with(".sv")).map(str::to_owned).collect()
}

/// All files of the lists, in order, and the bench of the example, which is in none.
fn expected() -> Vec<String> {
    let rtl = root().join("rtl");
    let files = LISTS.iter().flat_map(|list| file_list(list).unwrap());
    let names = files.map(|path| path.strip_prefix(&rtl).unwrap().display().to_string());
    names.chain(["sp_check.sv", "sp_tb.sv"].map(|bench| format!("examples/self_profiling/{bench}"))).collect()
}

#[test]
fn fusesoc_and_bender_name_the_files_of_the_lists() {
    assert_eq!(listed("lwp.core"), expected());
    let shared = listed("retire.core");
    let mut all = expected();
    all.extend(shared.clone());
    let units = further_units();
    assert!(!units.is_empty());
    for unit in &units {
        let own = [own(unit, &shared), adapters(unit)].concat();
        assert_eq!(listed(&format!("{unit}.core")), own);
        all.extend(own);
    }
    assert_eq!(listed("Bender.yml"), all);
}

#[test]
fn every_source_is_in_a_list() {
    let units = further_units();
    let further = units.iter().map(|unit| (unit.as_str(), format!("{unit}/{unit}.f")));
    let lists = [("lwp", LISTS[0]), ("adapters", LISTS[1])].map(|(folder, list)| (folder, list.to_owned()));
    for (folder, list) in lists.into_iter().chain(further) {
        let mut named = file_list(&list).unwrap();
        if folder == "adapters" {
            named.extend(units.iter().flat_map(|unit| adapters(unit)).map(|file| root().join("rtl").join(file)));
        }
        for entry in fs::read_dir(root().join("rtl").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            assert!(
                path.extension().is_none_or(|end| end != "sv") || named.contains(&path),
                "{} is in no list",
                path.display()
            );
        }
    }
}

/// FuseSoC with the tools of its environment on the PATH.
fn fusesoc(target: &str, core: &str) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let mut command: Command = venv("fusesoc").unwrap();
    let tools = root().join("target/tools/rtl-venv/bin");
    let path = env::join_paths([tools].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap()))).unwrap();
    // What FuseSoC keeps of its own stays in the folder too.
    command.env("PATH", path).env("XDG_CONFIG_HOME", folder.path()).env("XDG_DATA_HOME", folder.path());
    command.env("XDG_CACHE_HOME", xdg_cache()).arg("--cores-root").arg(root().join("rtl"));
    command.args(["run", "--target", target, "--work-root", "work", core]).current_dir(folder.path());
    let output = run(&mut command).unwrap();
    (folder, output)
}

/// The WebAssembly tools keep their compiled form here; compiling it anew takes a minute.
fn xdg_cache() -> std::path::PathBuf {
    env::var_os("XDG_CACHE_HOME")
        .map_or_else(|| std::path::PathBuf::from(env::var_os("HOME").unwrap()).join(".cache"), Into::into)
}

#[test]
fn fusesoc_lints() {
    fusesoc("lint", "lwp");
    for unit in further_units() {
        fusesoc("lint", &unit);
        if !adapters(&unit).is_empty() {
            fusesoc("lint_rvfi", &unit);
        }
    }
}

/// What only `make nightly` runs.
mod nightly {
    use super::{fs, fusesoc};

    #[test]
    fn fusesoc_synthesises() {
        let (folder, _) = fusesoc("synth", "lwp");
        let statistics = fs::read_to_string(folder.path().join("work/statistics.txt")).unwrap();
        assert!(statistics.contains("_DFF"), "{statistics}");
    }

    #[test]
    fn fusesoc_simulates() {
        let (_folder, output) = fusesoc("sim", "lwp");
        assert!(output.contains("PASS in"), "{output}");
    }
}
