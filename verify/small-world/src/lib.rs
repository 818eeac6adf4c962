//! Small worlds: the unit with few values on its inputs, explored until there is nothing left to explore.
//!
//! A [`World`] is a set of straps, a way into it ([`World::enter`]) and an [`Alphabet`]: the values that the inputs of a cycle may
//! take, in all their combinations. [`Graph::explore`] lets the model take every letter of the alphabet in every state that it reaches, until no
//! state is new. [`tour::tour`] finds a walk over every edge of that graph, and [`play::play`] plays the walk in lockstep: the
//! RTL shows in every reachable state, under every input, what the model shows.
//!
//! The chapter "Small worlds" of the book says what that proves and what is left out.

pub mod alphabet;
pub mod failure;
pub mod graph;
pub mod machine;
pub mod memory;
pub mod play;
pub mod run;
pub mod states;
pub mod tour;
pub mod worlds;

pub use alphabet::Alphabet;
pub use graph::Graph;
pub use machine::{Machine, Unit};
pub use worlds::World;
