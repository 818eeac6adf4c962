//! The rows of a [`Document`].

use crate::document::Document;
use crate::name::{FORMS, Name};
use crate::needs::Need;
use crate::problem::{Place, Problem};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

const COLUMNS: [&str; 7] = ["id", "section", "area", "kind", "statement", "check", "shown_by"];

/// What a row asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Hardware has to do it.
    Must,
    /// Hardware may do it; here it does, or the row says how it is left out.
    Option,
    /// Software has to keep it.
    Software,
    /// A register, its number or a field of it.
    Register,
    /// Steps of software, in their order.
    Procedure,
    /// Hardware does it, in a unit that may not exist here yet.
    Behaviour,
    /// A program around the hardware.
    Tool,
    /// The text explains something.
    Info,
}

impl Kind {
    /// As in the data.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Must => "must",
            Kind::Option => "option",
            Kind::Software => "software",
            Kind::Register => "register",
            Kind::Procedure => "procedure",
            Kind::Behaviour => "behaviour",
            Kind::Tool => "tool",
            Kind::Info => "info",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// One requirement.
#[derive(Clone, Debug)]
pub struct Row {
    /// The file that it is in.
    pub document: &'static Document,
    /// `AREA-NN`, after the prefix of the document.
    pub id: String,
    /// Where in the documents.
    pub section: String,
    /// The `AREA` of the identifier.
    pub area: String,
    /// What the row asks for.
    pub kind: Kind,
    /// The requirement itself.
    pub statement: String,
    /// How it could be shown.
    pub check: String,
    /// What would be enough for it.
    pub need: Need,
    /// Until when nothing has to show it, if the row is an exception of its kind.
    pub later: Option<String>,
    /// What shows it and cannot be derived from a claim.
    pub(crate) shown_by: Vec<Name>,
    /// Line in the file.
    pub line: usize,
}

impl Row {
    /// Whether something has to show the row.
    #[must_use]
    pub fn asked(&self) -> bool {
        self.later.is_none()
    }

    /// Where the row is.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::new(self.document.file, self.line)
    }

    /// Whether no test is asked for: the row is kept by a text or by the shape of an item.
    #[must_use]
    pub fn doc_only(&self) -> bool {
        self.check.starts_with("doc only")
    }
}

/// The rows of `text`, the content of `document`, and what is wrong with the others.
#[must_use]
pub fn rows(document: &'static Document, text: &str) -> (Vec<Row>, Vec<Problem>) {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    if !reader.headers().is_ok_and(|headers| headers.iter().eq(COLUMNS)) {
        let help = format!("the first line is `{}`", COLUMNS.join(","));
        return (rows, vec![Problem::new(Place::new(document.file, 1), "the columns are not the expected ones", help)]);
    }
    let mut seen = BTreeMap::new();
    for record in reader.records() {
        match record {
            Ok(record) => {
                if let Some(row) = row(document, &record, &mut problems)
                    && unique(&row, &mut seen, &mut problems)
                {
                    rows.push(row);
                }
            }
            Err(error) => {
                let line = error.position().map_or(1, line);
                problems.push(Problem::new(
                    Place::new(document.file, line),
                    error.to_string(),
                    "each row is valid CSV in UTF-8",
                ));
            }
        }
    }
    (rows, problems)
}

fn line(position: &csv::Position) -> usize {
    usize::try_from(position.line()).unwrap_or(usize::MAX)
}

fn row(document: &'static Document, record: &csv::StringRecord, problems: &mut Vec<Problem>) -> Option<Row> {
    let place = Place::new(document.file, record.position().map_or(1, line));
    let Ok([id, section, area, kind, statement, check, shown_by]) =
        <[&str; 7]>::try_from(record.iter().collect::<Vec<_>>())
    else {
        let what = format!("{} fields instead of {}", record.len(), COLUMNS.len());
        problems.push(Problem::new(
            place,
            what,
            "quote fields that hold a comma; end the row with shown_by, even if empty",
        ));
        return None;
    };
    let prefix = document.prefix;
    if id.strip_prefix(prefix).and_then(|rest| rest.rsplit_once('-')).is_none_or(|(middle, _)| middle != area) {
        let help = format!("an id is {prefix}AREA-NN, with the area of the third column");
        problems.push(Problem::new(place.clone(), format!("`{id}` is not an id of the area {area}"), help));
    }
    let Some(&kind) = document.kinds.iter().find(|known| known.word() == kind) else {
        let what = format!("{id}: the kind `{kind}` is unknown");
        let kinds: Vec<_> = document.kinds.iter().map(|kind| kind.word()).collect();
        problems.push(Problem::new(place, what, format!("the kinds are {}", kinds.join(", "))));
        return None;
    };
    let mut names = Vec::new();
    let mut seen = BTreeSet::new();
    for text in shown_by.split_whitespace() {
        match Name::parse(text) {
            Ok(name) if seen.insert(name.clone()) => names.push(name),
            Ok(_) => problems.push(Problem::new(place.clone(), format!("{id}: `{text}` stands twice"), "remove one")),
            Err(what) => problems.push(Problem::new(place.clone(), format!("{id}: {what}"), FORMS)),
        }
    }
    let [id, section, area, statement, check] = [id, section, area, statement, check].map(str::to_owned);
    let (need, later, line) = (Need::default(), None, place.line);
    Some(Row { document, id, section, area, kind, statement, check, need, later, shown_by: names, line })
}

fn unique(row: &Row, seen: &mut BTreeMap<String, usize>, problems: &mut Vec<Problem>) -> bool {
    let before = seen.insert(row.id.clone(), row.line);
    if let Some(before) = before {
        let what = format!("{} stands in line {before} already", row.id);
        problems.push(Problem::new(row.place(), what, "an id names one row; remove one of them"));
    }
    before.is_none()
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::document::{LWP, MONITORING};

    const HEAD: &str = "id,section,area,kind,statement,check,shown_by\n";

    fn problems(lines: &str) -> Vec<(usize, String)> {
        let text = format!("{HEAD}{lines}").replace('@', "LWP-");
        rows(&LWP, &text).1.into_iter().map(|problem| (problem.place.line, problem.what.replace("LWP-", "@"))).collect()
    }

    #[test]
    fn a_row_is_read() {
        let text = format!("{HEAD}@A-01,1;3,A,option,\"Text, with comma\",doc only,doc:a.md#b rtl:unit\n")
            .replace('@', "LWP-");
        let (rows, problems) = rows(&LWP, &text);
        assert_eq!((rows.len(), problems.len()), (1, 0));
        assert!(rows[0].doc_only() && rows[0].asked());
        let names: Vec<_> = rows[0].shown_by.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["doc:a.md#b", "rtl:unit"]);
    }

    #[test]
    fn bad_rows_are_named_with_their_line() {
        let cases = [
            ("@A-01,1,A,shall,s,c,\n", 2, "@A-01: the kind `shall` is unknown"),
            ("@A-01,1,A,must,s,c,\n@A-01,1,A,must,s,c,\n", 3, "@A-01 stands in line 2 already"),
            ("@A-01,1,B,must,s,c,\n", 2, "`@A-01` is not an id of the area B"),
            ("@A-01,1,A,must,s,c\n", 2, "6 fields instead of 7"),
            ("@A-01,1,A,must,s,c,rtl:a rtl:a\n", 2, "@A-01: `rtl:a` stands twice"),
            ("@A-01,1,A,must,s,c,proof:a\n", 2, "@A-01: `proof:a`: the kind `proof` is unknown"),
            ("@A-01,1,A,must,s,c,test:a\n", 2, "@A-01: `test:a` lacks `::` and a name after it"),
            ("@A-01,1,A,must,s,c,unit\n", 2, "@A-01: `unit` has no kind"),
            ("@A-01,1,A,must,s,c,doc:a.md#\n", 2, "@A-01: `doc:a.md#` is incomplete"),
        ];
        for (lines, line, what) in cases {
            assert_eq!(problems(lines), [(line, what.to_owned())]);
        }
        assert_eq!(rows(&LWP, "id,kind\n").1.len(), 1);
    }

    #[test]
    fn each_document_has_its_kinds_and_its_identifiers() {
        let text = format!("{HEAD}A-01,1,A,register,s,c,\nA-02,1,A,behaviour,s,c,\nA-03,1,A,must,s,c,\n");
        let (rows, problems) = rows(&MONITORING, &text);
        assert_eq!(
            rows.iter().map(|row| (row.id.as_str(), row.asked())).collect::<Vec<_>>(),
            [("A-01", true), ("A-02", true)]
        );
        assert_eq!(problems.len(), 1, "{problems:?}");
    }
}
