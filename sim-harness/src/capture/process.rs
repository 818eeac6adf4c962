//! The traced program: QEMU as a child process.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};

use tempfile::TempDir;

use super::ring::Ring;
use super::{CaptureEnd, CaptureError, Program, plugin};

/// A running program. It is stopped when this value goes away.
#[derive(Debug)]
pub(super) struct Traced {
    child: Child,
    status: Option<ExitStatus>,
    /// Holds the plugin's file.
    _directory: TempDir,
}

impl Traced {
    /// Starts the program with the standard streams of this one.
    pub(super) fn start(program: &Program, ring: &Ring) -> Result<Self, CaptureError> {
        // Not where the ring is: shared memory is often mounted without permission to execute.
        let directory = tempfile::Builder::new().prefix("lwp-sim-").tempdir();
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

    /// How the program ended, if it has.
    pub(super) fn poll(&mut self) -> Result<Option<CaptureEnd>, CaptureError> {
        if self.status.is_none() {
            self.status = self.child.try_wait().map_err(CaptureError::system("ask after qemu-x86_64"))?;
        }
        Ok(self.status.map(|status| match (status.code(), status.signal()) {
            (Some(code), _) => CaptureEnd::Exited(code),
            (None, signal) => CaptureEnd::Killed(signal.unwrap_or(0)),
        }))
    }

    /// Ends the program now.
    pub(super) fn stop(&mut self) -> Result<(), CaptureError> {
        // Killing a process that has just ended is no failure.
        let _ = self.child.kill();
        self.status = Some(self.child.wait().map_err(CaptureError::system("stop qemu-x86_64"))?);
        Ok(())
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        if self.status.is_none() {
            // Nobody is left to tell.
            let _ = self.stop();
        }
    }
}

/// QEMU separates a plugin's options by commas and takes two for one.
fn doubled_commas(path: &std::ffi::OsStr) -> OsString {
    path.to_string_lossy().replace(',', ",,").into()
}
