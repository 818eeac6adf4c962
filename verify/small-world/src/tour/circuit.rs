//! Hierholzer's algorithm: walk until stuck, which can only be at the start; go back to where something was left, and walk on.

use super::{Extra, RESET};
use crate::graph::Graph;

/// What is still to be walked.
struct Left<'a> {
    graph: &'a Graph,
    /// The next edge of each state that was not walked.
    next: Vec<u32>,
    extra: Extra,
    /// Where the extra edges of each state begin; moves on.
    next_extra: Vec<u32>,
}

/// The steps of a closed walk from the root.
pub(super) fn circuit(graph: &Graph, extra: Extra) -> Vec<u32> {
    let mut left = Left::new(graph, extra);
    let (mut stack, mut steps) = (Vec::new(), Vec::new());
    let mut at = 0;
    loop {
        if let Some(step) = left.take(at) {
            stack.push((at, step));
            at = if step == RESET { 0 } else { graph.target(step) };
        } else if let Some((source, step)) = stack.pop() {
            steps.push(step);
            at = source;
        } else {
            steps.reverse();
            return steps;
        }
    }
}

impl<'a> Left<'a> {
    fn new(graph: &'a Graph, extra: Extra) -> Self {
        let states = 0..graph.len() as u32;
        let next = states.clone().map(|state| graph.edges_of(state).start).collect();
        let begins = |state| extra.edges.partition_point(|&(edge, _)| edge < graph.edges_of(state).start) as u32;
        let next_extra = states.map(begins).collect();
        Self { graph, next, extra, next_extra }
    }

    fn take(&mut self, state: u32) -> Option<u32> {
        let (edges, at) = (self.graph.edges_of(state), state as usize);
        if self.next[at] < edges.end {
            self.next[at] += 1;
            return Some(self.next[at] - 1);
        }
        while let Some((edge, times)) = self.extra.edges.get_mut(self.next_extra[at] as usize) {
            if *edge >= edges.end {
                break;
            }
            if *times > 0 {
                *times -= 1;
                return Some(*edge);
            }
            self.next_extra[at] += 1;
        }
        let resets = &mut self.extra.resets[at];
        *resets = resets.checked_sub(1)?;
        Some(RESET)
    }
}
