//! The units against the processor that runs the tests. Where that cannot be done the tests fail: nothing has been shown there.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod debug;
