//! The five programs of the examples, which run on the fake, as they are on bare metal.
#![allow(dead_code, reason = "that they compile here is the point")]

#[path = "../../branch_records.rs"]
mod branch_records;
#[path = "../../breakpoints.rs"]
mod breakpoints;
#[path = "../../cache_allocation.rs"]
mod cache_allocation;
#[path = "../../lwp_ring.rs"]
mod lwp_ring;
#[path = "../../p6_overflow.rs"]
mod p6_overflow;
