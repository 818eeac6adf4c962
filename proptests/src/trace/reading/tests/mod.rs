//! The reading, followed by hand: runs at the ports, to be read with the documents open. They show what the reading takes for right and
//! what for wrong.

mod bench;
mod controls;
mod fake;
mod freezes;
mod messages;
mod random;
mod records;
mod samples;
mod stacks;
mod unusual;

use super::Straps;
use bench::{Bench, DEBUGCTL, DS_AREA, PEBS_ENABLE, TOS, jump};
