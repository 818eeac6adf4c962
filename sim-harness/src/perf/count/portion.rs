//! The portion of a program that is counted.

use super::CountError;
use super::source::Source;

/// Addresses between which the counters count: from the instruction at the first, each time that the program comes to it, up to the
/// instruction at the second, which does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Portion {
    /// Where counting begins; at the first instruction if nowhere.
    pub(super) from: Option<u64>,
    /// Where it ends; with the trace if nowhere.
    pub(super) to: Option<u64>,
}

impl Portion {
    /// Finds the places: addresses, or symbols of the traced program.
    ///
    /// # Errors
    /// [`CountError::Portion`] if there is no such symbol, or both are one place.
    pub(super) fn find(from: Option<&str>, to: Option<&str>, source: &Source) -> Result<Self, CountError> {
        let find = |place: &str| address(place, source);
        let portion = Self { from: from.map(find).transpose()?, to: to.map(find).transpose()? };
        if portion.from.is_some() && portion.from == portion.to {
            let what = "the portion ends where it begins".to_owned();
            return Err(CountError::Portion { what, help: "give --from and --to two places" });
        }
        Ok(portion)
    }
}

fn address(place: &str, source: &Source) -> Result<u64, CountError> {
    if let Some(digits) = place.strip_prefix("0x") {
        let error =
            |_| CountError::Portion { what: format!("`{place}` is no address"), help: "0x and hexadecimal digits" };
        return u64::from_str_radix(digits, 16).map_err(error);
    }
    let Some(symbols) = source.reader().symbols() else {
        let what = format!("the trace has no symbols, so that there is no `{place}`");
        return Err(CountError::Portion { what, help: "give an address: 0x and hexadecimal digits" });
    };
    symbols.address_of(place).ok_or_else(|| CountError::Portion {
        what: format!("the program has no symbol `{place}`"),
        help: "`nm PROGRAM` lists the symbols; a stripped program has none of its own",
    })
}
