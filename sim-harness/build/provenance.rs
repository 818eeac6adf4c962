//! What the crate was made of, for the failure capsules that it writes: versions and digests of sources.

use crate::failure::Failure;
use crate::sources::Sources;
use crate::verilator::Verilator;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Sets variables for `env!` in the crate.
pub(crate) fn tell(sources: &Sources, verilator: &Verilator) -> Result<(), Failure> {
    let krate = sources.krate();
    let rtl = [sources.rtl().to_owned(), krate.join("cpp")];
    let model = [krate.join("../lwp-model/src"), krate.join("../lwp-regs/src")];
    for folder in &model {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    println!("cargo::rustc-env=SIM_RTL_SHA256={}", digest(&rtl, &["sv", "f", "h"])?);
    println!("cargo::rustc-env=SIM_MODEL_SHA256={}", digest(&model, &["rs"])?);
    let (major, minor) = verilator.version;
    println!("cargo::rustc-env=SIM_VERILATOR_VERSION={major}.{minor:03}");
    println!("cargo::rustc-env=SIM_RUSTC_VERSION={}", rustc());
    Ok(())
}

fn rustc() -> String {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output();
    output.map_or_else(|_| "unknown".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// SHA-256 of all files with these extensions, their names below the folder included: the same wherever the tree stands.
fn digest(folders: &[PathBuf], extensions: &[&str]) -> Result<String, Failure> {
    let mut hasher = Sha256::new();
    for folder in folders {
        let mut files = Vec::new();
        collect(folder, extensions, &mut files)?;
        files.sort();
        for file in files {
            let bytes = fs::read(&file).map_err(|error| unreadable(&file, &error))?;
            let name = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy();
            hasher.update(format!("{name} {}\n", bytes.len()));
            hasher.update(&bytes);
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn collect(folder: &Path, extensions: &[&str], into: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, &error))? {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        if path.is_dir() {
            collect(&path, extensions, into)?;
        } else if path.extension().is_some_and(|found| extensions.iter().any(|wanted| found == *wanted)) {
            into.push(path);
        }
    }
    Ok(())
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}
