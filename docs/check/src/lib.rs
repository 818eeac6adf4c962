//! The book's code, as documentation tests.

/// Code of the README.
#[doc = include_str!("../../../README.md")]
#[derive(Debug)]
pub enum Readme {}

/// Code of the chapter "Firmware".
#[doc = include_str!("../../src/firmware.md")]
#[derive(Debug)]
pub enum Firmware {}

/// Code of the chapter "Ways to the hardware".
#[doc = include_str!("../../src/registers/access.md")]
#[derive(Debug)]
pub enum Access {}

/// Code of the chapter "Performance counters".
#[doc = include_str!("../../src/registers/perf.md")]
#[derive(Debug)]
pub enum Perf {}

/// Code of the chapter "P6 counters and their events".
#[doc = include_str!("../../src/registers/p6.md")]
#[derive(Debug)]
pub enum P6 {}

/// Code of the chapter "Breakpoints".
#[doc = include_str!("../../src/registers/debug.md")]
#[derive(Debug)]
pub enum Debug {}

/// Code of the chapter "Branch records and the debug store".
#[doc = include_str!("../../src/registers/trace.md")]
#[derive(Debug)]
pub enum Trace {}

/// Code of the chapter "The time-stamp counter".
#[doc = include_str!("../../src/registers/tsc.md")]
#[derive(Debug)]
pub enum Tsc {}

/// Code of the chapter "Resource Director Technology".
#[doc = include_str!("../../src/registers/rdt.md")]
#[derive(Debug)]
pub enum Rdt {}

/// Code of the chapter "Itanium".
#[doc = include_str!("../../src/registers/itanium.md")]
#[derive(Debug)]
pub enum Itanium {}

/// Code of the chapter "Drivers and how to test them".
#[doc = include_str!("../../src/registers/driver.md")]
#[derive(Debug)]
pub enum Driver {}
