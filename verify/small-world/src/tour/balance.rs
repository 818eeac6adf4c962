//! Which edges a walk has to take more than once.
//!
//! A state with more ways in than out is a *giver*, one with more ways out than in a *taker*. Each round looks from all givers at once for
//! the nearest takers; demand goes back along the ways found and doubles their edges. A giver that is asked for more than it has is a taker in the
//! next round. So each round leaves only takers that have been givers, and the rounds come to an end.

use crate::graph::Graph;

/// What is walked besides every edge once.
#[derive(Debug)]
pub struct Extra {
    /// Edges and how many times more, sorted by edge; an edge may stand here several times.
    pub edges: Vec<(u32, u32)>,
    /// Resets from each state.
    pub resets: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Doubles edges until every state is entered as often as it is left.
pub(super) fn balance(graph: &Graph) -> Extra {
    let mut surplus = degrees(graph);
    let mut extra = Extra { edges: Vec::new(), resets: vec![0; graph.len()] };
    while surplus.iter().any(|&more| more < 0) {
        let search = Search::from_givers(graph, &surplus);
        for &state in search.order.iter().rev() {
            let (missing, by) = (-surplus[state as usize], search.by[state as usize]);
            if missing > 0 && by != NONE {
                extra.edges.push((by, missing as u32));
                surplus[state as usize] = 0;
                surplus[graph.source(by) as usize] -= missing;
            }
        }
        if search.root_asked {
            reset(&mut surplus, &mut extra.resets);
        }
    }
    extra.edges.sort_unstable();
    extra
}

/// Ways in less ways out.
fn degrees(graph: &Graph) -> Vec<i64> {
    let mut surplus = vec![0_i64; graph.len()];
    for state in 0..graph.len() as u32 {
        let edges = graph.edges_of(state);
        surplus[state as usize] -= edges.len() as i64;
        edges.for_each(|edge| surplus[graph.target(edge) as usize] += 1);
    }
    surplus
}

/// What the root lacks comes by resets from whoever has more than enough.
fn reset(surplus: &mut [i64], resets: &mut [u32]) {
    for state in 1..surplus.len() {
        let take = surplus[state].min(-surplus[0]);
        if take > 0 {
            resets[state] += take as u32;
            surplus[state] -= take;
            surplus[0] += take;
        }
    }
}

/// Shortest ways from the givers to everywhere.
struct Search {
    /// States in the order in which they were come to.
    order: Vec<u32>,
    /// The edge by which; of a giver none.
    by: Vec<u32>,
    /// No giver has a way to the root.
    root_asked: bool,
}

impl Search {
    fn from_givers(graph: &Graph, surplus: &[i64]) -> Self {
        let mut search = Self { order: Vec::new(), by: vec![NONE; graph.len()], root_asked: false };
        let mut seen = vec![false; graph.len()];
        for state in (0..graph.len()).filter(|&state| surplus[state] > 0) {
            seen[state] = true;
            search.order.push(state as u32);
        }
        let mut next = search.spread(graph, &mut seen, 0);
        if !seen[0] {
            // From there every state can be reached.
            search.root_asked = true;
            seen[0] = true;
            search.order.push(0);
            next = search.spread(graph, &mut seen, next);
        }
        debug_assert_eq!(next, graph.len());
        search
    }

    fn spread(&mut self, graph: &Graph, seen: &mut [bool], mut next: usize) -> usize {
        while let Some(&state) = self.order.get(next) {
            next += 1;
            for edge in graph.edges_of(state) {
                let target = graph.target(edge) as usize;
                if !seen[target] {
                    seen[target] = true;
                    self.by[target] = edge;
                    self.order.push(target as u32);
                }
            }
        }
        next
    }
}
