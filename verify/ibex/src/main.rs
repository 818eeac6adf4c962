//! Runs the LWP unit, the debug unit and the performance counters next to the core Ibex, and compares what they do with what RVFI shows.

mod build;
mod debug;
mod failure;
mod image;
mod losses;
mod options;
mod perf;
mod plants;
mod report;
mod run;
mod say;
mod simulation;
mod variants;

use clap::Parser;
use failure::Failure;
use options::Options;
use say::complain;
use std::process::ExitCode;

fn main() -> ExitCode {
    match perform(&Options::parse()) {
        Ok(code) => code,
        Err(failure) => {
            complain!("ibex: {failure}");
            ExitCode::from(failure.code())
        }
    }
}

fn perform(options: &Options) -> Result<ExitCode, Failure> {
    if options.list {
        variants::print();
        plants::print();
        return Ok(ExitCode::SUCCESS);
    }
    let chosen = variants::named(options)?;
    let plants = options.plant.as_deref().map(plants::named).transpose()?;
    let (debugged, counted) = (debug::named(options), perf::named(options));
    let places = build::Places::find()?;
    let program = image::Program::compile(&places)?;
    if let Some(folder) = &options.record {
        for variant in variants::recorded() {
            run::record(&places, &program, &variant, folder)?;
        }
        debug::record(&places, folder)?;
        perf::record(&places, folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    if options.losses {
        return losses::print(&places, &program, options);
    }
    if let Some(plants) = plants {
        return plants::check(&places, &program, &plants);
    }
    report::everything(&places, &program, options, (&chosen, &debugged, &counted))
}
