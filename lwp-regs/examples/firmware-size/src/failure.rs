//! Errors: a number, or with the feature `messages` in words.

use core::fmt::Display;

/// Something was refused, missing or faulted; it has been told.
#[derive(Clone, Copy, Debug)]
pub struct Failed;

/// Tells an error by a number.
#[cfg(not(feature = "messages"))]
pub fn tell(_error: &impl Display) -> Failed {
    crate::board::output(1_u8);
    Failed
}

/// Tells an error by its own text, as on a serial port.
#[cfg(feature = "messages")]
pub fn tell(error: &impl Display) -> Failed {
    use core::fmt::Write;

    struct Console;
    impl Write for Console {
        fn write_str(&mut self, text: &str) -> core::fmt::Result {
            text.bytes().for_each(crate::board::output);
            Ok(())
        }
    }
    let _ = writeln!(Console, "{error}");
    Failed
}

/// What can be wanted of a result or an option: the value, or that its absence is told.
pub trait OrTell<T> {
    /// The value; else the error has been told.
    fn or_tell(self) -> Result<T, Failed>;
}

impl<T, E: Display> OrTell<T> for Result<T, E> {
    fn or_tell(self) -> Result<T, Failed> {
        self.map_err(|error| tell(&error))
    }
}

impl<T> OrTell<T> for Option<T> {
    fn or_tell(self) -> Result<T, Failed> {
        self.ok_or_else(|| tell(&"not on this processor"))
    }
}
