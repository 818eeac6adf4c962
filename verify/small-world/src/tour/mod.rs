//! A walk over every edge of a graph.
//!
//! The RTL cannot be put into a state; it has to be led there. A closed walk over every edge of a graph exists if each state is entered as
//! often as it is left. So edges are first doubled until that holds (`balance`), along shortest ways; where there is no way,
//! a reset leads back to the root. What results is walked by Hierholzer's algorithm (`circuit`), so no step is made but those.

mod balance;
mod circuit;

use crate::graph::Graph;
pub use balance::Extra;

/// In place of an edge: a reset and the way into the world.
pub const RESET: u32 = u32::MAX;

/// A closed walk from the root: edges in order, and [`RESET`].
#[derive(Debug)]
pub struct Tour {
    /// The steps.
    pub steps: Vec<u32>,
    /// How many of them are resets.
    pub resets: u64,
}

/// A walk over every edge of a closed graph.
#[must_use]
pub fn tour(graph: &Graph) -> Tour {
    let extra = balance::balance(graph);
    let resets = extra.resets.iter().map(|&count| u64::from(count)).sum();
    Tour { steps: circuit::circuit(graph, extra), resets }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Machine, World, lwp};

    /// Follows the steps; says which edges were taken.
    fn follow(graph: &Graph, tour: &Tour) -> Vec<u64> {
        let mut taken = vec![0_u64; graph.edges()];
        let mut at = 0;
        for &step in &tour.steps {
            if step == RESET {
                at = 0;
            } else {
                assert!(graph.edges_of(at).contains(&step), "a step begins where the one before ended");
                taken[step as usize] += 1;
                at = graph.target(step);
            }
        }
        assert_eq!(at, 0, "it ends at the root");
        taken
    }

    #[test]
    fn a_tour_takes_every_edge() {
        let world = lwp::find("tiny").unwrap();
        let root = world.enter(Machine::new(world.model()));
        let graph = Graph::explore(&world, root, usize::MAX, 1 << 30, &mut |_, _| ());
        let tour = tour(&graph);
        let taken = follow(&graph, &tour);
        assert!(taken.iter().all(|&times| times > 0));
        assert_eq!(taken.iter().sum::<u64>() + tour.resets, tour.steps.len() as u64);
    }
}
