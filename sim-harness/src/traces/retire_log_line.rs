//! One line of a retire log.

use lwp_model::retire::{Flags, Transaction};
use serde::Deserialize;
use serde_json::error::Category;

use super::Record;
use super::retire_log_keys::{BranchKeys, Interruptions, IoKeys, LoadKeys, ModeName, RepName, StoreKeys};
use super::retire_log_value::{Address, Cpl, Length, Object};

/// The help for a line that is not in the format.
const FORMAT_HELP: &str = "a line looks like {\"ip\":\"0x401000\",\"cpl\":3,\"branch\":{\"kind\":\"jcc\",\"taken\":true,\
                           \"next\":\"0x401020\"},\"loads\":[{\"addr\":\"0x7ff0\",\"miss\":true,\"latency\":200,\"source\":3}]}; \
                           only `ip` is required";

/// An error in a line.
#[derive(Debug)]
pub(super) struct Fault {
    /// The column in bytes, from 1.
    pub(super) column: usize,
    /// The expected and the found content.
    pub(super) what: String,
    /// The advice to the user.
    pub(super) help: &'static str,
    /// Whether the line is correct as far as it goes, but ends too early.
    pub(super) breaks_off: bool,
}

/// Parses one line into `into`.
pub(super) fn parse(text: &[u8], into: &mut Record) -> Result<(), Fault> {
    let Object(line) = serde_json::from_slice::<Object<Line>>(text).map_err(|error| from_json(text, &error))?;
    let retired = &mut into.retired;
    retired.reset(line.ip.0);
    retired.length = line.length.0;
    retired.cpl = line.cpl.0;
    retired.smm = line.smm;
    retired.op_mode = line.mode.map(Into::into);
    retired.cs_base = line.cs_base.0;
    retired.loads.extend(line.loads.iter().map(|Object(keys)| keys.load()));
    retired.stores.extend(line.stores.iter().map(|Object(keys)| keys.store()));
    retired.io = line.io.map(|Object(keys)| keys.io()).unwrap_or_default();
    retired.flags = Flags { tf: line.tf, ss_load: line.ss_load, rep: line.rep.map(Into::into).unwrap_or_default() };
    retired.transaction = Transaction { in_tx: line.in_tx, tx_abort: line.tx_abort };
    into.from_unknown = line.interruption.lacks_from();
    line.interruption.put(line.ip.0, &mut retired.interruptions);
    into.next_unknown = false;
    if let Some(Object(keys)) = line.branch {
        into.next_unknown = keys.next.is_none();
        retired.branch = Some(keys.branch().map_err(|what| beside(text, "\"branch\"", what))?);
    }
    Ok(())
}

/// Converts the parser's message to a fault of this line.
fn from_json(text: &[u8], error: &serde_json::Error) -> Fault {
    let message = error.to_string();
    // The parser appends its own line and column, which are relative to this line.
    let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    let what = match error.classify() {
        Category::Syntax | Category::Eof => {
            let at = text.get(error.column().saturating_sub(1)).filter(|byte| !byte.is_ascii_whitespace());
            let found =
                at.map_or_else(|| "the end of the line".to_owned(), |&byte| format!("`{}`", byte.escape_ascii()));
            format!("this is not JSON: {what}, found {found}")
        }
        Category::Data | Category::Io => what.to_owned(),
    };
    Fault { column: error.column().max(1), what, help: FORMAT_HELP, breaks_off: error.is_eof() }
}

/// Returns a fault at the key whose value is invalid.
fn beside(text: &[u8], key: &str, what: &str) -> Fault {
    let position = text.windows(key.len()).position(|window| window == key.as_bytes());
    Fault { column: position.unwrap_or(0) + 1, what: what.to_owned(), help: FORMAT_HELP, breaks_off: false }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    ip: Address,
    #[serde(default)]
    cpl: Cpl,
    #[serde(default)]
    smm: bool,
    #[serde(default)]
    branch: Option<Object<BranchKeys>>,
    #[serde(default)]
    loads: Vec<Object<LoadKeys>>,
    #[serde(default)]
    stores: Vec<Object<StoreKeys>>,
    #[serde(default)]
    length: Length,
    #[serde(default)]
    mode: Option<ModeName>,
    #[serde(default)]
    cs_base: Address,
    #[serde(default)]
    io: Option<Object<IoKeys>>,
    #[serde(default)]
    tf: bool,
    #[serde(default)]
    ss_load: bool,
    #[serde(default)]
    rep: Option<RepName>,
    #[serde(default)]
    in_tx: bool,
    #[serde(default)]
    tx_abort: bool,
    #[serde(default)]
    interruption: Interruptions,
}
