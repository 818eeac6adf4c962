//! The report as one page that needs nothing else: no network, no script, no font.

mod page;
mod segments;
mod wave;

pub use page::page;

/// Text as it may stand between tags and in quoted attributes.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(letter),
        }
    }
    out
}

/// Escaped text whose parts in backquotes are code.
fn with_code(text: &str) -> String {
    let parts = escape(text);
    let mut out = String::with_capacity(parts.len());
    for (at, part) in parts.split('`').enumerate() {
        if at > 0 {
            out.push_str(if at % 2 == 1 { "<code>" } else { "</code>" });
        }
        out.push_str(part);
    }
    // An odd backquote would leave the tag open.
    if parts.matches('`').count() % 2 == 1 {
        out.push_str("</code>");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{escape, with_code};

    #[test]
    fn nothing_becomes_a_tag_by_itself() {
        assert_eq!(escape("<script>\"a\" & 'b'"), "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;");
        assert_eq!(with_code("in `a<b` and `c"), "in <code>a&lt;b</code> and <code>c</code>");
    }
}
