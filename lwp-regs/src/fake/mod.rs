//! A processor for the tests of drivers: registers in a variable, a trace of what software did to them, and faults
//! wherever a test wants them.
//!
//! A driver that is generic over the traits of [`access`](crate::access) runs on [`FakeMsrs`] as it runs on the
//! processor. The fake is a value, so each test has its own and none disturbs another. It allocates nothing, so a test
//! without `std` can have one too.
//!
//! | to | use |
//! |---|---|
//! | say what there is | [`define`](FakeMsrs::define), [`define_read_only`](FakeMsrs::define_read_only), [`define_number`](FakeMsrs::define_number); what is not defined faults |
//! | have a write do what WRMSR does | [`define_checked`](FakeMsrs::define_checked), with the capabilities of the processor |
//! | play the hardware, look at the outcome | [`set`](FakeMsrs::set), [`get`](FakeMsrs::get) |
//! | compare what software did | [`assert_trace`](FakeMsrs::assert_trace) with a list of [`Access`]es |
//! | have an access fail | [`fail_at`](FakeMsrs::fail_at), [`fail_from`](FakeMsrs::fail_from), [`fail_number`](FakeMsrs::fail_number) |
//! | have each access fail in its turn | [`every_fault_point`](FakeMsrs::every_fault_point) |
//! | RDPMC, RDTSC, CPUID, debug registers | [`define_counter`](FakeMsrs::define_counter), [`set_time`](FakeMsrs::set_time), [`identify_as`](FakeMsrs::identify_as), [`debug_registers`](FakeMsrs::debug_registers) |
//!
//! [`FakeLwp`] plays the hardware of Lightweight Profiling for a driver of sessions: it stores records in their memory.
//!
//! [`FakeMsrs`] is no model. Nothing counts, no register acts upon another, and a write that is not
//! [checked](FakeMsrs::define_checked) is kept as it is. What a test needs of that, it says with `set`.
//!
//! # Example: wherever it fails, LWP is off again
//!
//! ```
//! use lwp_regs::access::{GeneralProtection, MsrBus};
//! use lwp_regs::fake::{Access, FakeMsrs};
//! use lwp_regs::lwp::{EdxLayout, LwpCaps, LwpMsr0, LwpMsr1, LwpcbAddr};
//!
//! /// The driver under test: allows LWP and points it at `block`. If that fails, LWP is off.
//! fn start<B: MsrBus>(bus: &mut B, allowed: LwpMsr0, block: LwpMsr1) -> Result<(), B::Fault> {
//!     LwpMsr0::MSR.write_unchecked(bus, allowed)?;
//!     // SAFETY: block and buffer stay where they are until the pointer is written again.
//!     let started = unsafe { block.write(bus) };
//!     if started.is_err() {
//!         LwpMsr0::MSR.write_unchecked(bus, LwpMsr0::RESET)?;
//!     }
//!     started
//! }
//!
//! let caps = LwpCaps::from_cpuid([0, 0x0103_2040, 0x8000_002A, 0x1F], EdxLayout::AsPrinted).unwrap();
//! let (allowed, block) = (LwpMsr0::from_bits(0x3), LwpMsr1::new(LwpcbAddr::new(0x1000).unwrap()));
//!
//! let mut cpu = FakeMsrs::<2>::new();
//! cpu.define_checked(LwpMsr0::MSR, LwpMsr0::RESET, &caps).define_number(LwpMsr1::ADDRESS, 0);
//!
//! // What it does when all goes well.
//! let mut good = cpu.clone();
//! assert_eq!(start(&mut good, allowed, block), Ok(()));
//! good.assert_trace(&[Access::write(LwpMsr0::MSR, allowed), Access::Wrmsr(LwpMsr1::ADDRESS, 0x1000)]);
//!
//! // A register that refuses the value, as the processor would.
//! assert!(start(&mut cpu.clone(), LwpMsr0::from_bits(0x10), block).is_err());
//!
//! // What it does when its first access fails, then when its second one does, and so on.
//! let fault = GeneralProtection::Privilege;
//! let points = cpu.every_fault_point(fault, |cpu| {
//!     let result = start(cpu, allowed, block);
//!     match cpu.failed() {
//!         None => assert_eq!(result, Ok(())),
//!         Some(access) => {
//!             assert_eq!(result, Err(fault), "{access}");
//!             assert_eq!(cpu.get(LwpMsr0::MSR), LwpMsr0::RESET, "after {access}");
//!             assert_eq!(cpu.value(LwpMsr1::ADDRESS), Some(0), "after {access}");
//!         }
//!     }
//! });
//! assert_eq!(points, 2);
//! ```

mod access;
mod buses;
mod contents;
#[cfg(feature = "debug")]
mod debug;
mod define;
mod fake_msrs;
mod faults;
mod history;
#[cfg(feature = "lwp")]
mod lwp;
mod plan;
mod register;
mod time;
mod trace;

pub use access::Access;
pub use fake_msrs::FakeMsrs;
#[cfg(feature = "lwp")]
pub use lwp::{FakeLwp, FakePageFault};
pub use trace::TraceOverflow;

#[cfg(all(test, feature = "lwp"))]
mod tests;
