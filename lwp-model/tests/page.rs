//! Tables of a page of the book.

/// The first table below a heading.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    heads: Vec<String>,
    rows: Vec<Vec<&'a str>>,
}

/// The first table below the heading with this text.
pub(crate) fn table<'a>(page: &'a str, heading: &str) -> Table<'a> {
    let below = page.split_once(&format!("# {heading}\n")).expect(heading).1;
    let below = below.split("\n#").next().unwrap();
    let mut lines = below.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = |line: &'a str| -> Vec<&'a str> {
        line.trim_matches('|').split(" |").map(|cell| cell.trim_start_matches('|').trim()).collect()
    };
    let heads: Vec<_> = cells(lines.next().expect(heading)).iter().map(|head| head.replace('`', "")).collect();
    let rows: Vec<_> = lines.skip(1).map(cells).collect();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.len() == heads.len()), "{heading}: {rows:?}");
    Table { heads, rows }
}

impl<'a> Table<'a> {
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_, 'a>> {
        self.rows.iter().map(|cells| Row { heads: &self.heads, cells })
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'t, 'a> {
    heads: &'t [String],
    cells: &'t [&'a str],
}

impl<'a> Row<'_, 'a> {
    /// The cell in the column of this name.
    pub(crate) fn text(&self, head: &str) -> &'a str {
        self.cells[self.heads.iter().position(|name| name == head).unwrap_or_else(|| panic!("no column {head}"))]
    }

    /// Whether there is a column of this name.
    pub(crate) fn has(&self, head: &str) -> bool {
        self.heads.iter().any(|name| name == head)
    }

    pub(crate) fn number(&self, head: &str) -> u64 {
        number(self.text(head))
    }

    pub(crate) fn flag(&self, head: &str) -> bool {
        self.number(head) == 1
    }
}

/// Decimal, modulo 2^64, or hexadecimal with an H at the end.
pub(crate) fn number(text: &str) -> u64 {
    let digits = text.replace('_', "");
    let read = match (digits.strip_suffix('H'), digits.strip_prefix('-')) {
        (Some(hexadecimal), _) => u64::from_str_radix(hexadecimal, 16).ok(),
        (_, Some(positive)) => positive.parse::<u64>().ok().map(u64::wrapping_neg),
        _ => digits.parse().ok(),
    };
    read.unwrap_or_else(|| panic!("no number: {text}"))
}
