//! Stage opcode: both opcode matchers.

use super::inputs::Issue;
use lwp_regs::bits::{U5, U41};
use lwp_regs::itanium::{Bundle, Pmc89};

/// Slots of the bundle whose instruction each matcher matches, 3 bits each.
#[inline]
pub(super) fn matches([first, second]: &[Pmc89; 2], issue: &Issue) -> (u8, u8) {
    let slots = [issue.slot0, issue.slot1, issue.slot2].map(U41::masked);
    let bundle = Bundle { template: U5::masked(issue.template_code), slots };
    (bundle.matches(*first), bundle.matches(*second))
}
