//! A device and its world, without anything to compare.

use crate::lwp::world::{Instructions, RecordSink, World};
use lwp_model::Moore;
use lwp_model::lwp::{Inputs, Outputs};

/// Cycles between two looks at the outside.
const CYCLES: u32 = 4096;

/// Runs to the end of the world. Every few thousand cycles `visit` may look at the
/// world and [stop](World::stop) it.
pub fn run_closed_loop<const W: usize, D, I, R>(
    device: &mut D,
    world: &mut World<W, I, R>,
    visit: &mut dyn FnMut(&mut World<W, I, R>),
) where
    D: Moore<Inputs = Inputs<W>, Outputs = Outputs>,
    I: Instructions,
    R: RecordSink,
{
    loop {
        visit(world);
        for _ in 0..CYCLES {
            let inputs = world.cycle(&device.outputs());
            device.step(inputs);
            if world.is_over() {
                visit(world);
                return;
            }
        }
    }
}
