//! The book's code, as documentation tests.

/// Code of the README.
#[doc = include_str!("../../../README.md")]
#[derive(Debug)]
pub enum Readme {}

/// Code of the chapter "Firmware".
#[doc = include_str!("../../src/firmware.md")]
#[derive(Debug)]
pub enum Firmware {}
