//! Reports of runs: the summary for people and for programs, records, and dumps.

pub mod failure;
mod hottest;
mod json_lines;
mod mismatch;
mod output;
mod print;
mod separate;
mod summary;
mod summary_text;
mod temporary;
mod unit_report;

pub use capsule_file::free_name;
pub use hottest::{HotAddress, IpCounts};
pub use json_lines::JsonLines;
pub use mismatch::{Mismatch, MismatchReport};
pub use output::{Output, OutputError};
pub use print::{complain, print, say, unless_closed};
pub use separate::{Clash, separate};
pub use summary::{FrontEndNumbers, Summary};
pub use summary_text::grouped;
pub use temporary::{TemporaryFolder, folder_of, temporary};
pub use unit_report::{Moment, StageFacts, StageOfFields, Suspect, UnitReport, without_indices};
