//! Every state that can be reached, and where every letter leads from it.

use crate::machine::Machine;
use crate::states::States;
use crate::world::World;
use lwp_model::Unit;
use std::collections::VecDeque;

/// The states of a world and their edges. State 0 is the root; numbers follow the distance from it.
#[derive(Debug)]
pub struct Graph {
    /// The states.
    pub states: States,
    /// The first edge of each expanded state, and the number of all edges at the end.
    first: Vec<u32>,
    /// Where each edge leads.
    target: Vec<u32>,
    /// The edge by which each state was found; of the root none.
    found_by: Vec<u32>,
    /// States that were found and not expanded: 0 in a closed world.
    pub frontier: usize,
    /// Edges from the root to the state that is farthest from it.
    pub depth: u32,
    /// Letters of the states with the fewest and with the most.
    pub letters: (usize, usize),
}

/// What stands for the edge by which the root was found.
const NONE: u32 = u32::MAX;

impl Graph {
    /// Explores breadth first, until there is nothing new or more than `limit` states or `edges` edges. `progress` is told states found and expanded.
    ///
    /// # Panics
    /// If `edges` is 2^32 - 1 or more.
    pub fn explore<W: World>(
        world: &W,
        root: Machine<W::Unit>,
        limit: usize,
        edges: usize,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Self {
        assert!(edges < NONE as usize, "edges are numbered with 32 bits");
        let mut row = vec![0; <W::Unit as Unit>::OUTPUT_WORDS];
        root.row(&mut row);
        let mut graph = Self::of_root(States::of::<W>(), &row);
        let mut waiting = VecDeque::from([root]);
        let mut depth = vec![0_u32];
        while let Some(machine) = waiting.pop_front() {
            let letters = world.letters(machine.state());
            if graph.states.len() > limit || graph.target.len() + letters > edges {
                graph.frontier = waiting.len() + 1;
                break;
            }
            let at = graph.first.len();
            graph.first.push(graph.target.len() as u32);
            graph.letters = (graph.letters.0.min(letters), graph.letters.1.max(letters));
            for letter in 0..letters {
                let mut next = machine.clone();
                next.step(&world.letter(machine.state(), letter));
                next.row(&mut row);
                let (number, new) = graph.states.number(&row);
                if new {
                    graph.found_by.push(graph.target.len() as u32);
                    depth.push(depth[at] + 1);
                    graph.depth = depth[at] + 1;
                    waiting.push_back(next);
                }
                graph.target.push(number);
            }
            if at.is_multiple_of(1024) {
                progress(graph.states.len(), at);
            }
        }
        graph.first.push(graph.target.len() as u32);
        progress(graph.states.len(), graph.first.len() - 1);
        graph
    }

    fn of_root(mut states: States, row: &[u32]) -> Self {
        states.number(row);
        Self {
            states,
            first: Vec::new(),
            target: Vec::new(),
            found_by: vec![NONE],
            frontier: 0,
            depth: 0,
            letters: (usize::MAX, 0),
        }
    }

    /// Whether every state was expanded.
    #[must_use]
    pub fn closed(&self) -> bool {
        self.frontier == 0
    }

    /// How many edges there are.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.target.len()
    }

    /// How many states there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Never: there is a root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The edges of a state: edge `first + letter` is that of the letter.
    #[must_use]
    pub fn edges_of(&self, state: u32) -> std::ops::Range<u32> {
        self.first[state as usize]..self.first[state as usize + 1]
    }

    /// Where an edge leads.
    #[must_use]
    pub fn target(&self, edge: u32) -> u32 {
        self.target[edge as usize]
    }

    /// Where an edge begins.
    #[must_use]
    pub fn source(&self, edge: u32) -> u32 {
        (self.first.partition_point(|&first| first <= edge) - 1) as u32
    }

    /// A shortest way from the root over `edge`: edges in order, `edge` the last.
    #[must_use]
    pub fn way(&self, edge: u32) -> Vec<u32> {
        let mut way = vec![edge];
        let mut at = self.source(edge);
        while self.found_by[at as usize] != NONE {
            way.push(self.found_by[at as usize]);
            at = self.source(self.found_by[at as usize]);
        }
        way.reverse();
        way
    }
}
