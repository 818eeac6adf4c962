//! Draws the timing diagrams of the book by running the model.
//!
//! `timing DIR` writes one SVG for each scenario into DIR. `timing --check DIR` writes nothing and fails if a file there is
//! not what the model does today. `timing --print` shows the same as text, to be followed by hand.

mod bench;
mod figure;
mod scenarios;
mod svg;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let figures = scenarios::all();
    if args == ["--print"] {
        for figure in &figures {
            println!("{}", figure.text());
        }
        return ExitCode::SUCCESS;
    }
    let check = args.first().is_some_and(|arg| arg == "--check");
    if check {
        args.remove(0);
    }
    let [dir] = args.as_slice() else {
        eprintln!("usage: timing [--check] DIR | --print");
        return ExitCode::from(2);
    };
    let mut stale = false;
    for figure in &figures {
        let path = PathBuf::from(dir).join(format!("timing-{}.svg", figure.name));
        let drawn = svg::draw(figure);
        if check {
            if std::fs::read_to_string(&path).ok().as_deref() != Some(drawn.as_str()) {
                eprintln!("{} is not what the model does: run `make timing` and look at what changed", path.display());
                stale = true;
            }
        } else if let Err(error) = std::fs::write(&path, drawn) {
            eprintln!("cannot write {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    if stale { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
