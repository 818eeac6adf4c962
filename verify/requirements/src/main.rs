//! `requirements`: what shows each row of the requirements, what is missing, and the matrix of the book.

use clap::{Parser, Subcommand};
use requirements::{Error, Repository, Results, Trace, matrix, report};
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Which test, assertion or chapter shows each requirement.
#[derive(Parser)]
#[command(name = "requirements", version, arg_required_else_help = true, max_term_width = 110, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// The repository [default: the one around the current folder]
    #[arg(long, global = true, value_name = "FOLDER")]
    repository: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Every row with the names of what shows it
    List,
    /// One row: its statement, what shows it, where it is named
    Row {
        /// Its identifier, as in `list`
        id: String,
    },
    /// The rows that lack a check, by area; exit code 1 if there are any
    Missing,
    /// Names and claims that do not exist, and how many rows are shown; exit code 1 if anything is wrong or missing
    Check,
    /// The page of the book: each row with its state in the last test run
    Matrix {
        /// A JUnit report of cargo-nextest; without one, nothing has run
        #[arg(long, num_args = 1.., value_name = "JUNIT.XML")]
        results: Vec<PathBuf>,
        /// The page to write
        #[arg(long, value_name = "FILE.MD")]
        out: PathBuf,
    },
}

const EXAMPLES: &str = "\
Examples (each after `cargo run -p requirements --`):
  row LWP-STO-04                               what shows this row
  missing                                      what is left to do
  matrix --results target/nextest/default/junit.xml --out target/matrix.md

Exit codes: 0 fine, 1 something is wrong or missing, 2 wrong use, or a file cannot be read or written.";

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli) {
        Ok((text, good)) => match print(&text) {
            Ok(()) if good => ExitCode::SUCCESS,
            Ok(()) => ExitCode::FAILURE,
            Err(error) => failed(&format!("standard output: {error}")),
        },
        Err(error) => failed(&error.to_string()),
    }
}

/// Prints the error. A full or closed standard error cannot be helped.
fn failed(why: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {why}");
    ExitCode::from(2)
}

/// A reader that has seen enough is no error.
fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// What to print, and whether all is well.
fn run(cli: &Cli) -> Result<(String, bool), Error> {
    let repository = cli.repository.as_deref().map_or_else(Repository::here, Repository::open)?;
    let trace = Trace::of(&repository)?;
    let fine = |text: String| Ok((text, true));
    match &cli.command {
        Command::List => fine(report::list(&trace)),
        Command::Row { id } => fine(report::row(&trace, id)?),
        Command::Missing => Ok((report::missing(&trace), trace.missing().next().is_none())),
        Command::Check => {
            let problems: String = trace.problems.iter().map(|problem| format!("{problem}\n")).collect();
            let good = trace.problems.is_empty() && trace.missing().next().is_none();
            Ok((format!("{problems}problems: {}\n{}\n", trace.problems.len(), report::summary(&trace)), good))
        }
        Command::Matrix { results, out } => fine(matrix(&repository, &trace, results, out)?),
    }
}

fn matrix(repository: &Repository, trace: &Trace, reports: &[PathBuf], out: &Path) -> Result<String, Error> {
    let is_file =
        |path: &Path| fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| (file.dev(), file.ino()));
    if is_file(out).is_some_and(|page| reports.iter().any(|report| is_file(report) == Some(page))) {
        return Err(Error::Replaced { path: out.to_owned() });
    }
    let mut results = Results::default();
    reports.iter().try_for_each(|report| results.add(report))?;
    let page = matrix::page(repository, trace, &results);
    fs::write(out, page).map_err(|source| Error::File { path: out.to_owned(), source })?;
    Ok(format!("{}: {}\n", out.display(), matrix::totals(trace, &results)))
}
