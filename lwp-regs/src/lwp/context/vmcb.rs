//! The state in a virtual machine's control block.

use super::LwpVolatileState;

/// What VMSAVE adds to the VMCB for LWP, and VMLOAD takes from there: the volatile state of the guest's session, as a
/// thread switch saves it, by the same port. The proposal gives no offset in the VMCB; the area may lie anywhere.
///
/// A hypervisor that resumes the guest it has just left need not save and restore: hardware has kept the state, and
/// nothing is counted meanwhile. Before it resumes another guest it saves this one's and restores the other's, or makes
/// hardware inactive ([`ContextSwitch`](super::ContextSwitch)).
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Saving state at SVM worldswitch to a different guest".
pub type VmcbLwpArea = LwpVolatileState;

#[cfg(test)]
mod tests {
    use super::{LwpVolatileState, VmcbLwpArea};
    use core::any::TypeId;

    // LWP-SVM-02
    #[test]
    fn is_the_volatile_state() {
        assert_eq!(TypeId::of::<VmcbLwpArea>(), TypeId::of::<LwpVolatileState>());
        assert_eq!(VmcbLwpArea::BYTES, 64);
    }
}
