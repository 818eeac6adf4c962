//! Runs the LWP unit next to the core Ibex, and compares every record with what RVFI shows.

mod build;
mod failure;
mod image;
mod losses;
mod options;
mod plants;
mod report;
mod run;
mod variants;

use clap::Parser;
use failure::Failure;
use options::Options;
use std::process::ExitCode;

fn main() -> ExitCode {
    match perform(&Options::parse()) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("ibex: {failure}");
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
    let places = build::Places::find()?;
    let program = image::Program::compile(&places)?;
    if let Some(file) = &options.record {
        run::record(&places, &program, file)?;
        return Ok(ExitCode::SUCCESS);
    }
    if options.losses {
        return losses::print(&places, &program, options);
    }
    if let Some(name) = &options.plant {
        return plants::check(&places, &program, name);
    }
    report::everything(&places, &program, options)
}
