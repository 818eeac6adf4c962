//! Text as HTML inside Markdown.

/// For use between tags and in attributes of blocks of HTML.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // mdBook has words in double braces.
            '{' => escaped.push_str("&#123;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A link to `docs/src/chapter.md#anchor` from a page of the book; other files have no page.
pub(crate) fn link(name: &str) -> String {
    let page = name.strip_prefix("docs/src/").and_then(|name| name.split_once(".md#"));
    let Some((chapter, anchor)) = page else { return format!("<code>{}</code>", escape(name)) };
    let chapter = match chapter.strip_suffix("README") {
        Some(folder) => format!("{folder}index"),
        None => chapter.to_owned(),
    };
    format!("<a href=\"{}.html#{}\">{}</a>", escape(&chapter), escape(anchor), escape(name))
}

#[cfg(test)]
mod tests {
    use super::{escape, link};

    #[test]
    fn nothing_of_a_statement_is_markup() {
        assert_eq!(escape("a < b & \"c\" {{d}}"), "a &lt; b &amp; &quot;c&quot; &#123;&#123;d}}");
    }

    #[test]
    fn chapters_are_links() {
        let expected = "<a href=\"lwp/index.html#state\">docs/src/lwp/README.md#state</a>";
        assert_eq!(link("docs/src/lwp/README.md#state"), expected);
        assert_eq!(link("rtl/README.md#rules"), "<code>rtl/README.md#rules</code>");
    }
}
