//! The files for FuseSoC and Bender name what the file lists name, and FuseSoC's targets work.

use rtl_checks::{file_list, root, run, venv};
use std::process::Command;
use std::{env, fs};
use tempfile::TempDir;

const LISTS: [&str; 3] = ["lwp/lwp.f", "adapters/adapters.f", "examples/self_profiling/self_profiling.f"];

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
    assert_eq!(listed("Bender.yml"), expected());
}

#[test]
fn every_source_is_in_a_list() {
    for (folder, list) in [("lwp", LISTS[0]), ("adapters", LISTS[1])] {
        let named = file_list(list).unwrap();
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
fn fusesoc(target: &str) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let mut command: Command = venv("fusesoc").unwrap();
    let tools = root().join("target/tools/rtl-venv/bin");
    let path = env::join_paths([tools].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap()))).unwrap();
    // What FuseSoC keeps of its own stays in the folder too.
    command.env("PATH", path).env("XDG_CONFIG_HOME", folder.path()).env("XDG_DATA_HOME", folder.path());
    command.env("XDG_CACHE_HOME", xdg_cache()).arg("--cores-root").arg(root().join("rtl"));
    command.args(["run", "--target", target, "--work-root", "work", "lwp"]).current_dir(folder.path());
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
    fusesoc("lint");
}

/// What `make test` leaves out.
mod ci {
    use super::{fs, fusesoc};

    #[test]
    fn fusesoc_simulates() {
        let (_folder, output) = fusesoc("sim");
        assert!(output.contains("PASS in"), "{output}");
    }

    #[test]
    fn fusesoc_synthesises() {
        let (folder, _) = fusesoc("synth");
        let statistics = fs::read_to_string(folder.path().join("work/statistics.txt")).unwrap();
        assert!(statistics.contains("_DFF"), "{statistics}");
    }
}
