//! Complaints: every error is text for people, and what it points to is in the text that it shows.

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};

/// Renders an error as the terminal would show it.
///
/// # Panics
/// If it says nothing, or points beside its text.
pub fn check(error: &dyn Diagnostic) {
    assert!(!error.to_string().trim().is_empty(), "an error without a text: {error:?}");
    if let (Some(labels), Some(source)) = (error.labels(), error.source_code()) {
        for label in labels {
            let shown = source.read_span(label.inner(), 0, 0);
            assert!(shown.is_ok(), "{error}: it points to {:?}, which is not in its text", label.inner());
        }
    }
    let mut page = String::new();
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::none()).with_width(120);
    handler.render_report(&mut page, error).expect("text takes everything");
    assert!(!page.is_empty());
}
