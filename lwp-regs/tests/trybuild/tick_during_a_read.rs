// VPC-58: while GPERFCTR_READ copies the states, the driver is borrowed: nothing can sample a processor meanwhile, as under
// the lock of the study's driver.
use lwp_regs::perf::virtual_counter::CounterHardware;
use lwp_regs::perf::virtual_counter::perfctr::{BadAddress, CpuState, Global, UserStates};

struct Ticks<'a, H: CounterHardware>(&'a mut Global<H::Counter, H::Select, 2, 2>, &'a mut [H]);

impl<H: CounterHardware> UserStates<H::Counter, H::Select, 2> for Ticks<'_, H>
where
    H::Counter: PartialEq,
{
    fn requested(&mut self) -> Result<usize, BadAddress> {
        Ok(2)
    }

    fn put(&mut self, _: usize, _: &CpuState<H::Counter, H::Select, 2>) -> Result<(), BadAddress> {
        self.0.tick(self.1).map_err(|_| BadAddress)
    }
}

fn read<H: CounterHardware>(driver: &mut Global<H::Counter, H::Select, 2, 2>, hw: &mut [H], other: &mut [H])
where
    H::Counter: PartialEq,
{
    let mut user = Ticks(driver, other);
    let _ = driver.read(hw, &mut user);
}

fn main() {}
