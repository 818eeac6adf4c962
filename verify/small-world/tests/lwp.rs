//! The worlds of the LWP unit have the states and edges that the book says: a letter that no longer reaches anything makes them fewer.

use sim_harness::lockstep::Threads;
use small_world::lwp::all;
use small_world::run::{Limits, Plan, Verdict, run};
use small_world::{Machine, World as _};
use std::path::Path;

const CHAPTER: &str = include_str!("../../../docs/src/small-world.md");

/// Name, states and edges of a row of the chapter's first table of worlds.
fn row(line: &str) -> Option<(String, usize, usize)> {
    let cells: Vec<_> = line.split('|').map(str::trim).collect();
    let number = |cell: &str| cell.replace(',', "").parse().ok();
    Some((cells.get(1)?.trim_matches('`').to_owned(), number(cells.get(3)?)?, number(cells.get(4)?)?))
}

#[test]
fn every_world_has_the_size_that_the_book_says() {
    let table = CHAPTER.split("| world | content |").nth(1).expect("the table of the worlds");
    let mut told: Vec<_> = table.lines().skip(2).map_while(row).collect();
    let explored = all().into_iter().map(|world| {
        let plan =
            Plan { limits: Limits::default(), threads: Threads::One, explore_only: true, capsules: Path::new("none") };
        let outcome = run(&world, Machine::new(world.model()), plan, &mut |_| ());
        assert!(matches!(outcome.verdict, Verdict::Explored), "{}: {:?}", world.name, outcome.verdict);
        (world.name.to_owned(), outcome.states, outcome.edges)
    });
    let mut explored: Vec<_> = explored.collect();
    told.sort();
    explored.sort();
    assert_eq!(explored, told);
}
