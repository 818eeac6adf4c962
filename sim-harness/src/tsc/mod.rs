//! What the time-stamp counter adds: a machine for drivers.

pub mod machine;
