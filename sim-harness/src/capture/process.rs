//! The traced program: QEMU as a child process.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};

use super::ring::{PREFIX, Ring};
use super::{CaptureEnd, CaptureError, Program, plugin};
use crate::report::TemporaryFolder;

/// A running program. It is stopped when this value is dropped.
#[derive(Debug)]
pub(super) struct Traced {
    child: Child,
    status: Option<ExitStatus>,
    /// The directory of the plugin's file; kept so that it exists while the program runs.
    _directory: TemporaryFolder,
}

impl Traced {
    /// Starts the program with the standard streams of this process.
    pub(super) fn start(program: &Program, ring: &Ring) -> Result<Self, CaptureError> {
        // The directory of the ring is not used: shared memory is often mounted without permission to execute.
        let directory = TemporaryFolder::create(&std::env::temp_dir(), PREFIX, &[plugin::FILE]);
        let directory = directory.map_err(CaptureError::system("make a temporary directory"))?;
        let plugin = plugin::unpack(directory.path());
        let plugin = plugin.map_err(CaptureError::system("write QEMU's plugin to a temporary file"))?;

        let mut argument = doubled_commas(plugin.as_os_str());
        argument.push(",out=");
        argument.push(doubled_commas(ring.path().as_os_str()));
        let mut command = Command::new(&program.qemu);
        command.arg("-0").arg(&program.name).arg("-plugin").arg(argument).arg(&program.path).args(&program.args);
        let child = command.spawn().map_err(CaptureError::system("start qemu-x86_64"))?;
        Ok(Self { child, status: None, _directory: directory })
    }

    /// Returns how the program ended, if it has ended.
    pub(super) fn poll(&mut self) -> Result<Option<CaptureEnd>, CaptureError> {
        if self.status.is_none() {
            self.status = self.child.try_wait().map_err(CaptureError::system("ask after qemu-x86_64"))?;
        }
        Ok(self.status.map(|status| match (status.code(), status.signal()) {
            (Some(code), _) => CaptureEnd::Exited(code),
            (None, signal) => CaptureEnd::Killed(signal.unwrap_or(0)),
        }))
    }

    /// Ends the program immediately.
    pub(super) fn stop(&mut self) -> Result<(), CaptureError> {
        // Killing a process that has just ended is not an error.
        let _ = self.child.kill();
        self.status = Some(self.child.wait().map_err(CaptureError::system("stop qemu-x86_64"))?);
        Ok(())
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        if self.status.is_none() {
            // There is no caller to report an error to.
            let _ = self.stop();
        }
    }
}

/// Doubles the commas of `path`: QEMU separates a plugin's options by commas and reads two commas as one.
fn doubled_commas(path: &std::ffi::OsStr) -> OsString {
    path.to_string_lossy().replace(',', ",,").into()
}
