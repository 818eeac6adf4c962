//! What the program prints: whoever closes the pipe has seen enough.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};

/// Prints a line as `println!` does, and does not panic if the pipe was closed. What else goes wrong with standard output ends the program with
/// exit code 3.
macro_rules! say {
    ($($argument:tt)*) => {
        $crate::say::line(format_args!($($argument)*))
    };
}
pub(crate) use say;

/// Prints a line to standard error as `eprintln!` does, and does not panic if that is full or closed.
macro_rules! complain {
    ($($argument:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($argument)*);
    }};
}
pub(crate) use complain;

/// Prints what [`say!`] formats.
pub(crate) fn line(text: Arguments<'_>) {
    match writeln!(io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain!("ibex: standard output: {error}");
            std::process::exit(3);
        }
        _ => {}
    }
}
