//! The instructions of a trace, with predictions.

use super::CountError;
use super::front::Front;
use crate::core::Instructions;
use crate::frontend::{BranchPredictor, FrontEndConfig, TablePredictor};
use crate::traces::{BranchKind, Retired, TraceError, TraceReader, open};
use std::fmt;
use std::path::Path;

/// The instructions of a trace. Branches whose prediction the format lacks are predicted.
pub(super) struct Source {
    reader: Box<dyn TraceReader + Send>,
    predictor: Option<TablePredictor>,
    left: u64,
    present: Retired,
}

impl Source {
    /// Opens a trace; of it, so many instructions.
    pub(super) fn open(path: &Path, limit: Option<u64>) -> Result<Self, CountError> {
        let reader = open(path)?;
        let predictor = (!reader.annotated()).then(|| TablePredictor::new(&FrontEndConfig::default()));
        Ok(Self { reader, predictor, left: limit.unwrap_or(u64::MAX), present: Retired::default() })
    }

    /// The reader.
    pub(super) fn reader(&self) -> &dyn TraceReader {
        self.reader.as_ref()
    }

    /// A front end for the trace.
    pub(super) fn front(&self) -> Front {
        Front::new(self.reader())
    }

    /// Instructions of the trace, if it says so.
    pub(super) fn total(&self) -> Option<u64> {
        self.reader.total().map(|total| total.min(self.left))
    }
}

impl Instructions for Source {
    fn advance(&mut self) -> Result<bool, TraceError> {
        if self.left == 0 || !self.reader.next(&mut self.present)? {
            return Ok(false);
        }
        self.left -= 1;
        if let (Some(predictor), Some(branch)) = (&mut self.predictor, &mut self.present.branch)
            && branch.kind != BranchKind::System
        {
            branch.predicted = Some(predictor.predict(self.present.ip, branch));
        }
        Ok(true)
    }

    #[inline]
    fn present(&self) -> &Retired {
        &self.present
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("left", &self.left).finish_non_exhaustive()
    }
}
