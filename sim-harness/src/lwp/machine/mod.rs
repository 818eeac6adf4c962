//! A computer for drivers, with the model or the RTL as its LWP and the memory of this program.
//!
//! A driver of `lwp-regs` reaches the hardware through traits and shares memory with it through volatile accesses. A
//! [`Machine`] provides both for a [`Moore`](lwp_model::Moore) machine with the ports of LWP: it implements the traits,
//! and it uses the linear addresses of the unit's memory port as addresses of this program. The driver therefore reads
//! what the hardware has written, without a copy in between, and the same driver code runs on bare metal, on the model
//! and on the RTL.
//!
//! - [`MsrBus`](lwp_regs::access::MsrBus) and [`LwpContextPort`](lwp_regs::lwp::LwpContextPort) run at CPL 0, as the
//!   kernel does; [`LwpInstructions`](lwp_regs::lwp::LwpInstructions) run in ring 3, as the thread does. Each steps the
//!   unit until it has responded. [`Cpuid`](lwp_regs::access::Cpuid) takes no time.
//! - [`run`](Machine::run) retires the instructions of a [`Program`] in ring 3. It [returns](Stop) when the program has
//!   ended, and whenever the core takes the threshold interrupt or a page-fault trap. The caller acts for the kernel,
//!   and then runs the same program again.
//! - Memory consists of the regions that have been [mapped](Machine::map). Any other access page-faults, and so does
//!   one that is [chosen](Machine::fail_access).
//!
//! Everything is a function of the straps, the programs and the calls: two machines, one with the model and one with
//! the RTL, behave identically, cycle by cycle.

mod buses;
mod computer;
mod cpu;
mod fault;
mod identity;
mod port;
mod program;

pub use computer::Machine;
pub use fault::MachineFault;
pub use program::{Program, Stop, straight_line};
