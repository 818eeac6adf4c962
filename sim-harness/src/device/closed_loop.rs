//! A unit and its environment, without anything to compare.

use super::environment::Environment;
use lwp_model::Moore;

/// Cycles between two looks at the outside.
const CYCLES: u32 = 4096;

/// Runs to the end of the environment. Every few thousand cycles `visit` may look at the environment and
/// [stop](Environment::stop) it.
pub fn run_closed_loop<D, E>(device: &mut D, environment: &mut E, visit: &mut dyn FnMut(&mut E))
where
    D: Moore,
    E: Environment<Inputs = D::Inputs, Outputs = D::Outputs>,
{
    loop {
        visit(environment);
        for _ in 0..CYCLES {
            let inputs = environment.cycle(&device.outputs());
            device.step(inputs);
            if environment.is_over() {
                visit(environment);
                return;
            }
        }
    }
}
