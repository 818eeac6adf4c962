//! Verilates every build of every unit (`build/units.rs`), compiles the C++ and registers it for the crate.

#[path = "build/assertions.rs"]
mod assertions;
#[path = "build/compile.rs"]
mod compile;
#[path = "build/failure.rs"]
mod failure;
#[path = "build/flat.rs"]
mod flat;
#[path = "build/plugin.rs"]
mod plugin;
#[path = "build/ports.rs"]
mod ports;
#[path = "build/provenance.rs"]
mod provenance;
#[path = "build/registry.rs"]
mod registry;
#[path = "build/sources.rs"]
mod sources;
#[path = "build/stamp.rs"]
mod stamp;
#[path = "build/units.rs"]
mod units;
#[path = "build/verilator.rs"]
mod verilator;

use failure::Failure;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::{env, thread};

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.tell_cargo();
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Failure> {
    for name in ["CXX", "CXXFLAGS", "AR"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let out = folder("OUT_DIR")?;
    let sources = sources::Sources::find(&folder("CARGO_MANIFEST_DIR")?)?;
    let verilator = verilator::Verilator::find()?;
    provenance::tell(&sources, &verilator)?;
    let models = units::models();
    registry::write(&out.join("builds.rs"), &registry::rust_source())?;
    registry::write(&out.join("units.rs"), &registry::units_source())?;
    registry::write(&out.join("assertions.rs"), &assertions::source(&sources)?)?;
    compile_all(&compile::Compiler { out: &out, sources: &sources, verilator: &verilator }, &models)?;
    compile::link(&out, &models, &verilator);
    plugin::build_plugin(&out);
    Ok(())
}

/// Each library is a job; as many run at once as cargo allows, since Verilator and a single compiler ask for no job token.
fn compile_all(compiler: &compile::Compiler<'_>, models: &[units::Model]) -> Result<(), Failure> {
    type Job<'a> = Box<dyn FnOnce() -> Result<(), Failure> + Send + 'a>;
    let mut jobs: Vec<Job<'_>> = vec![Box::new(|| compiler.registry(models)), Box::new(|| compiler.runtime())];
    jobs.extend(models.iter().rev().map(|model| -> Job<'_> { Box::new(|| compiler.model(model)) }));
    let workers = env::var("NUM_JOBS").ok().and_then(|number| number.parse().ok()).unwrap_or(1).clamp(1, jobs.len());
    let left = Mutex::new(jobs);
    let work = || {
        while let Some(job) = { left.lock().ok().and_then(|mut jobs| jobs.pop()) } {
            job()?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(Failure::new("A thread of the build script panicked.")))
        })
    })
}

fn folder(variable: &str) -> Result<PathBuf, Failure> {
    env::var_os(variable).map(PathBuf::from).ok_or_else(|| Failure::new(format!("{variable} is not set: run cargo.")))
}
