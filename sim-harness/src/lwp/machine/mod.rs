//! A computer for drivers: model or RTL as its LWP, with the memory of this very program.
//!
//! A driver of `lwp-regs` reaches the hardware through traits and shares memory with it through volatile accesses. A
//! [`Machine`] is both sides of that for a [`Moore`](lwp_model::Moore) machine with the ports of LWP: it implements the
//! traits, and it takes the linear addresses of the unit's memory port for addresses of this program. So what the driver
//! reads is what the hardware has written, with nothing copied in between, and the same driver code runs on bare metal, on the model and on the RTL.
//!
//! - [`MsrBus`](lwp_regs::access::MsrBus) and [`LwpContextPort`](lwp_regs::lwp::LwpContextPort) run at CPL 0, as the kernel
//!   does; [`LwpInstructions`](lwp_regs::lwp::LwpInstructions) in ring 3, as the thread does. Each steps the unit until it
//!   has answered. [`Cpuid`](lwp_regs::access::Cpuid) takes no time.
//! - [`run`](Machine::run) retires the instructions of a [`Program`] in ring 3. It [comes back](Stop) when the program has
//!   ended, and whenever the core takes the threshold interrupt or a page-fault trap: what a kernel does about them is up to
//!   the caller, who then runs the same program on.
//! - Memory is what has been [mapped](Machine::map). Any other access page-faults, and so does one that is
//!   [chosen](Machine::fail_access).
//!
//! Everything is a function of the straps, the programs and the calls: two machines of which one is the model and one the
//! RTL show the same, cycle by cycle.

mod buses;
mod computer;
mod cpu;
mod fault;
mod host_memory;
mod identity;
mod port;
mod program;

pub use computer::Machine;
pub use fault::MachineFault;
pub use program::{Program, Stop, straight_line};
