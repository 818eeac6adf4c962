//! Registers in session files.

use super::{Choice, Complaint};
use lwp_regs::msr::MsrNumbers;
use toml::Spanned;

/// Returns the number of a register that a file gives by name or by number.
///
/// A register of an array has its index in its name where the manual has `x` or `n`: `PerfCtr1` is the second `PerfCtrx`.
pub(crate) fn register_number(given: &Spanned<Choice>, lists: &[&[MsrNumbers]]) -> Result<u32, Complaint> {
    let text = given.get_ref().text();
    let msrs = || lists.iter().copied().flatten();
    let by_name = msrs().find_map(|msr| numbers(msr).find(|(name, _)| name.eq_ignore_ascii_case(text)));
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let by_number =
        digits.map_or_else(|| text.parse().ok(), |digits| u32::from_str_radix(&digits.replace('_', ""), 16).ok());
    by_name.map(|(_, number)| number).or(by_number).ok_or_else(|| {
        let names: Vec<String> =
            msrs().filter_map(|msr| numbers(msr).next()).map(|(name, _)| format!("`{name}`")).collect();
        let what =
            format!("there is no register `{text}`, expected one of {}, or a number of 32 bits", names.join(", "));
        (what, Some(given.span()))
    })
}

/// Returns the name of a register for people, or its number if it has none.
pub(crate) fn register_name(number: u32, msrs: &[MsrNumbers]) -> String {
    let known = msrs.iter().find_map(|msr| numbers(msr).find(|(_, own)| *own == number));
    known.map_or_else(|| format!("{number:#x}"), |(name, _)| name)
}

/// Returns each register of a line with its name.
fn numbers(msr: &MsrNumbers) -> impl Iterator<Item = (String, u32)> {
    let MsrNumbers { name, first, count, stride, .. } = *msr;
    (0..count.max(1)).map(move |index| {
        let stem = name.strip_suffix(['x', 'n']).filter(|_| count > 1);
        (stem.map_or_else(|| name.to_owned(), |stem| format!("{stem}{index}")), first + stride * index)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_regs::msr::Family;

    const MSRS: [MsrNumbers; 2] =
        [MsrNumbers::one("MATRIX", Family::P6, 0x10), MsrNumbers::array("PerfCtrx", Family::P6, 0xC1, 2)];

    fn number(text: &str) -> Result<u32, String> {
        #[derive(serde::Deserialize)]
        struct File {
            register: Spanned<Choice>,
        }
        let file: File = toml::from_str(&format!("register = {text}")).expect("a name or a number");
        register_number(&file.register, &[&MSRS[..1], &MSRS[1..]]).map_err(|(what, _)| what)
    }

    #[test]
    fn a_register_has_a_name_and_a_number() {
        for (text, expected) in
            [("\"matrix\"", 0x10), ("\"PerfCtr1\"", 0xC2), ("194", 0xC2), ("\"0xC2\"", 0xC2), ("\"0x1_0\"", 0x10)]
        {
            assert_eq!(number(text), Ok(expected), "{text}");
        }
        let expected = "there is no register `PerfCtr2`, expected one of `MATRIX`, `PerfCtr0`, or a number of 32 bits";
        assert_eq!(number("\"PerfCtr2\"").unwrap_err(), expected);
        assert_eq!([0x10, 0xC2, 0xC3].map(|number| register_name(number, &MSRS)), ["MATRIX", "PerfCtr1", "0xc3"]);
    }
}
