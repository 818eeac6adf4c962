//! Small worlds: a unit with few values on its inputs, explored until there is nothing left to explore.
//!
//! A [`World`] is a set of straps, a way into it ([`World::way_in`]) and letters: the values that the inputs of a cycle may
//! take. [`Graph::explore`] lets the model take every letter in every state that it reaches, until no
//! state is new. [`tour::tour`] finds a walk over every edge of that graph, and [`play::play`] plays the walk in lockstep: the
//! RTL shows in every reachable state, under every input, what the model shows. A unit's worlds are in a folder of its name.
//!
//! The chapter "Small worlds" of the book says what that proves and what is left out.

pub mod debug;
pub mod failure;
pub mod graph;
pub mod itanium;
pub mod lwp;
pub mod machine;
pub mod perf;
pub mod play;
pub mod rdt;
pub mod run;
pub mod states;
pub mod tour;
pub mod trace;
pub mod tsc;
pub mod world;

pub use graph::Graph;
pub use machine::Machine;
pub use world::{AnyWorld, World};
