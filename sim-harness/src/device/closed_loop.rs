//! Run of a unit in its environment without a comparison.

use super::environment::Environment;
use lwp_model::Moore;

/// Number of cycles between two calls of `visit`.
const CYCLES: u32 = 4096;

/// Runs to the end of the environment. Every few thousand cycles `visit` is called with the environment, and may
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
