//! Places of the RTL that cannot be reached, each with the reason: claims that a run, or an edit, may disprove.

use super::dat::{Kind, Place, Places};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// A list of claims that was compiled in.
#[derive(Clone, Copy, Debug)]
pub struct RtlList {
    /// The file.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    line: Vec<LineClaim>,
    #[serde(default)]
    toggle: Vec<ToggleClaim>,
}

/// A line by its text, so that edits elsewhere in the file do not matter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineClaim {
    file: String,
    text: String,
    /// Which block that begins there: `block`, `if`, `else`, `case`; all of them if it is not said.
    what: Option<String>,
    reason: String,
}

/// Bits by the name of the signal; `*` stands for anything.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToggleClaim {
    file: String,
    signal: Vec<String>,
    reason: String,
}

/// What is claimed of the RTL.
#[derive(Clone, Debug)]
pub struct RtlClaims(List);

/// Text of the lines of a file of the RTL.
pub type Source<'a> = dyn Fn(&str) -> Option<Vec<String>> + 'a;

impl RtlClaims {
    /// The claims of a list.
    ///
    /// # Errors
    ///
    /// If the list is wrong.
    pub fn new(list: &RtlList) -> Result<Self, String> {
        Self::parse(list.text).map_err(|why| format!("{}: {why}", list.file))
    }

    /// Reads a list.
    ///
    /// # Errors
    ///
    /// If it is not TOML of this form.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map(Self).map_err(|error| error.to_string())
    }

    /// The reason why a place cannot be met, if one is given.
    #[must_use]
    pub fn about(&self, place: &Place, source: &Source<'_>) -> Option<&str> {
        match place.kind {
            Kind::Line => {
                self.0.line.iter().find(|claim| claim.covers(place, source)).map(|claim| claim.reason.as_str())
            }
            Kind::Toggle => self.0.toggle.iter().find(|claim| claim.covers(place)).map(|claim| claim.reason.as_str()),
        }
    }

    /// What is wrong with the claims about the RTL of this repository.
    #[must_use]
    pub fn wrong(&self, places: &Places) -> Vec<String> {
        self.disproved(places, &source)
    }

    /// What is wrong with the claims: places that were met, and claims about places that are not there.
    #[must_use]
    pub fn disproved(&self, places: &Places, source: &Source<'_>) -> Vec<String> {
        let mut wrong = Vec::new();
        for claim in &self.0.line {
            let covered: Vec<_> = places.counts.iter().filter(|(place, _)| claim.covers(place, source)).collect();
            wrong.extend(judge(&covered, &format!("{}: `{}`", claim.file, claim.text), &claim.reason));
        }
        for claim in &self.0.toggle {
            for pattern in &claim.signal {
                let covers = |place: &Place| claim.about_file(place) && matches(pattern, &place.what);
                let covered: Vec<_> = places.counts.iter().filter(|(place, _)| covers(place)).collect();
                wrong.extend(judge(&covered, &format!("{}: {pattern}", claim.file), &claim.reason));
            }
        }
        wrong
    }
}

/// The lines of a file of the RTL.
pub(in crate::coverage) fn source(file: &str) -> Option<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl").join(file);
    Some(fs::read_to_string(path).ok()?.lines().map(str::to_owned).collect())
}

fn judge(covered: &[(&Place, &u64)], name: &str, reason: &str) -> Vec<String> {
    if covered.is_empty() {
        return vec![format!("{name}: there is no such place, though it is listed as out of reach (\"{reason}\")")];
    }
    let met = covered.iter().filter(|(_, count)| **count != 0);
    met.map(|(place, count)| {
        format!(
            "{}:{}: {} was met {count} times, though it is listed as out of reach (\"{reason}\")",
            place.file, place.line, place.what
        )
    })
    .collect()
}

impl LineClaim {
    fn covers(&self, place: &Place, source: &Source<'_>) -> bool {
        let text = || source(&place.file)?.get(place.line as usize - 1).map(|line| line.trim().to_owned());
        place.kind == Kind::Line
            && place.file.ends_with(&self.file)
            && self.what.as_ref().is_none_or(|what| *what == place.what)
            && text().as_deref() == Some(self.text.trim())
    }
}

impl ToggleClaim {
    fn about_file(&self, place: &Place) -> bool {
        place.kind == Kind::Toggle && (self.file == "*" || place.file.ends_with(&self.file))
    }

    fn covers(&self, place: &Place) -> bool {
        self.about_file(place) && self.signal.iter().any(|pattern| matches(pattern, &place.what))
    }
}

/// Whether `text` is what `pattern` says; `*` stands for any text, `[7:4]` at the end for a bit of that range.
pub(in crate::coverage) fn matches(pattern: &str, text: &str) -> bool {
    let Some((name, (high, low))) = pattern.strip_suffix(']').and_then(|p| p.rsplit_once('[')).and_then(range) else {
        return glob(pattern, text);
    };
    let bit = text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
    bit.is_some_and(|(of, bit)| glob(name, of) && bit.parse().is_ok_and(|bit: u32| (low..=high).contains(&bit)))
}

/// `name` and `7:4`.
fn range<'a>((name, bits): (&'a str, &str)) -> Option<(&'a str, (u32, u32))> {
    let (high, low) = bits.split_once(':')?;
    Some((name, (high.parse().ok()?, low.parse().ok()?)))
}

fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => {
            let Some(rest) = text.strip_prefix(before) else { return false };
            (0..=rest.len()).any(|skip| rest.is_char_boundary(skip) && glob(after, &rest[skip..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(kind: Kind, line: u32, what: &str) -> Place {
        Place { kind, file: "unit/a.sv".to_owned(), line, column: 1, what: what.to_owned() }
    }

    #[test]
    fn a_claim_fails_if_its_place_is_met_or_gone() {
        let list = r#"
            [[line]]
            file = "a.sv"
            text = "default: x = 0;"
            reason = "no such code"
            [[toggle]]
            file = "a.sv"
            signal = ["d_i[*]", "gone"]
            reason = "tied"
        "#;
        let claims = RtlClaims::parse(list).unwrap();
        let source = |_: &str| Some(vec!["module a;".to_owned(), "  default: x = 0;".to_owned()]);
        let mut places = Places::default();
        places.counts.insert(place(Kind::Line, 2, "case"), 0);
        places.counts.insert(place(Kind::Toggle, 1, "d_i[0]"), 3);
        assert_eq!(claims.about(&place(Kind::Line, 2, "case"), &source), Some("no such code"));
        assert_eq!(claims.about(&place(Kind::Line, 1, "case"), &source), None);
        let wrong = claims.disproved(&places, &source);
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong[0].contains("d_i[0] was met 3 times"), "{wrong:?}");
        assert!(wrong[1].contains("gone: there is no such place"), "{wrong:?}");
    }

    #[test]
    fn patterns() {
        for (pattern, text, does) in [
            ("a[3]", "a[3]", true),
            ("a*", "a[3]", true),
            ("a[*].b", "a[12].b", true),
            ("a", "ab", false),
            ("*", "", true),
            ("*.m[30:4]", "a.m[12]", true),
            ("m[30:4]", "m[31]", false),
            ("m[30:4]", "m", false),
        ] {
            assert_eq!(matches(pattern, text), does, "{pattern} {text}");
        }
    }
}
