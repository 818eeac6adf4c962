//! What the stages of a cycle have in common: the mode, and IA32_DEBUGCTL at the beginning.

use super::config::Config;
use super::inputs::Inputs;
use super::state::State;
use crate::retire::{IntKind, OpMode};
use lwp_regs::debug::DEBUG_VECTOR;
use lwp_regs::trace::{CodeMode, DebugCtl};

/// The cycle, as its beginning shows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now {
    /// IA32_DEBUGCTL.
    pub(super) debugctl: DebugCtl,
    /// Whether lanes, interruption and events are ignored.
    pub(super) stall: bool,
    /// Kind of the interruption, if one is delivered.
    pub(super) int: Option<IntKind>,
    /// Whether that is a #DB.
    pub(super) debug: bool,
    /// Privilege level.
    pub(super) level: u8,
    /// Mode of the source of a branch.
    pub(super) code: CodeMode,
    /// Whether the debug store has its 64-bit format.
    pub(super) wide: bool,
    /// Whether the LBR stack is updated.
    pub(super) recording: bool,
}

impl Now {
    #[inline]
    pub(super) fn of<const LANES: usize, const ENTRIES: usize>(
        state: &State<ENTRIES>,
        inputs: &Inputs<LANES>,
        straps: &Config,
    ) -> Self {
        let (debugctl, stall) = (state.control.debugctl(), state.stalls(LANES));
        let int = (inputs.int.valid && !stall).then(|| inputs.int.kind.acts_as());
        let mode = inputs.mode.op_mode;
        let by_tr = straps.lbr_tr && debugctl.tr() && !state.control.lbr_frozen;
        Self {
            debugctl,
            stall,
            int,
            debug: int == Some(IntKind::Exception) && inputs.int.vector == DEBUG_VECTOR,
            level: mode.level(inputs.mode.cpl),
            code: code(mode == OpMode::Long64),
            wide: straps.dtes64 || matches!(mode, OpMode::Compatibility | OpMode::Long64),
            recording: debugctl.lbr() || by_tr,
        }
    }
}

/// The mode of an address that is stored: 64-bit mode, or another.
#[inline]
pub(super) const fn code(long: bool) -> CodeMode {
    if long { CodeMode::Bits64 } else { CodeMode::Other }
}
