//! Text for people, on standard output and standard error.

use super::output::OutputError;
use std::fmt;
use std::io::{self, Write};

/// Forgives a pipe that was closed: whoever closed it has seen enough.
///
/// # Errors
/// Any other error.
pub fn unless_closed(done: Result<(), OutputError>) -> Result<(), OutputError> {
    match done {
        Err(error) if error.error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// Prints for people: to standard output, or `aside` to standard error if standard output is taken.
///
/// # Errors
/// If it cannot be written, but for a pipe that was closed.
pub fn print(text: &str, aside: bool) -> Result<(), OutputError> {
    let done = if aside {
        io::stderr().write_all(text.as_bytes())
    } else {
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
    };
    let path = if aside { "/dev/stderr" } else { "/dev/stdout" };
    unless_closed(done.map_err(|error| OutputError { path: path.into(), error }))
}

/// Prints a line to standard output for a program of its own: nothing if the pipe was closed, since whoever closed it has seen enough.
/// [`say!`](crate::say) formats it.
pub fn say(line: fmt::Arguments<'_>) {
    if let Err(error) = print(&format!("{line}\n"), false) {
        complain(format_args!("{error}"));
        std::process::exit(3);
    }
}

/// Prints a line as `println!` does, and does not panic if the pipe was closed. What else goes wrong with standard output ends the program with
/// exit code 3.
#[macro_export]
macro_rules! say {
    ($($argument:tt)*) => {
        $crate::report::say(::core::format_args!($($argument)*))
    };
}

/// Prints a line to standard error, which cannot be helped if it is full or closed. [`complain!`](crate::complain) formats it.
pub fn complain(line: fmt::Arguments<'_>) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Prints a line to standard error as `eprintln!` does, and does not panic if that is full or closed.
#[macro_export]
macro_rules! complain {
    ($($argument:tt)*) => {
        $crate::report::complain(::core::format_args!($($argument)*))
    };
}
