//! Lines of text on COM1.

use crate::port;
use core::fmt::{self, Write};

const DATA: u16 = 0x3F8;
const LINE_STATUS: u16 = DATA + 5;
/// The transmitter takes another byte.
const EMPTY: u8 = 1 << 5;

struct Com1;

impl Write for Com1 {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            while port::read(LINE_STATUS) & EMPTY == 0 {}
            port::write(DATA, byte);
        }
        Ok(())
    }
}

pub(crate) fn line(text: fmt::Arguments<'_>) {
    let _ = writeln!(Com1, "{text}"); // cannot fail
}

/// Writes a line.
macro_rules! say {
    ($($text:tt)*) => { $crate::serial::line(format_args!($($text)*)) };
}
pub(crate) use say;
