//! Curves as SVG.

use std::fmt::Write;

/// A curve.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    /// Its name.
    pub(super) name: String,
    /// Its colour, from 0.
    pub(super) colour: usize,
    /// Its points, from left to right.
    pub(super) points: Vec<(f64, f64)>,
}

/// A figure.
#[derive(Clone, Debug)]
pub(super) struct Chart<'a> {
    /// What it shows.
    pub(super) title: &'a str,
    /// Unit of the vertical axis.
    pub(super) unit: &'a str,
    /// Curves.
    pub(super) curves: Vec<Curve>,
    /// Right end of the horizontal axis.
    pub(super) right: f64,
    /// Upper end of the vertical axis.
    pub(super) top: f64,
    /// A level that is marked, and its name.
    pub(super) level: Option<(f64, String)>,
}

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 36.0;
const ABOVE: f64 = 14.0;
const BESIDE: f64 = 12.0;
/// Points of a curve that are drawn at most.
const POINTS: usize = 400;

impl Chart<'_> {
    /// The figure with its caption.
    pub(super) fn svg(&self) -> String {
        let mut text = String::new();
        let title = escaped(self.title);
        let _ = write!(
            text,
            "<figure>\n<figcaption>{title}</figcaption>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n"
        );
        self.axes(&mut text);
        if let Some((level, name)) = &self.level {
            let y = self.y(*level);
            let (end, name) = (WIDTH - BESIDE, escaped(name));
            let _ = writeln!(text, "<line class=\"level\" x1=\"{LEFT}\" x2=\"{end}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
            let _ = writeln!(
                text,
                "<text class=\"tick\" x=\"{end}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
                y - 4.0
            );
        }
        for curve in &self.curves {
            let points = thinned(&curve.points).map(|(x, y)| format!("{:.1},{:.1}", self.x(x), self.y(y)));
            let points = points.collect::<Vec<_>>().join(" ");
            let (colour, name) = (curve.colour % 8, escaped(&curve.name));
            let _ = writeln!(
                text,
                "<polyline class=\"curve c{colour}\" points=\"{points}\"><title>{name}</title></polyline>"
            );
        }
        text.push_str("</svg>\n</figure>\n");
        text
    }

    fn axes(&self, text: &mut String) {
        let (right, base) = (WIDTH - BESIDE, HEIGHT - BOTTOM);
        for value in ticks(self.top) {
            let y = self.y(value);
            let _ = writeln!(text, "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
            let (x, y) = (LEFT - 6.0, y + 4.0);
            let _ = writeln!(
                text,
                "<text class=\"tick\" x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>",
                short(value)
            );
        }
        for value in ticks(self.right) {
            let (x, y) = (self.x(value), base + 14.0);
            let _ = writeln!(
                text,
                "<text class=\"tick\" x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
                short(value)
            );
        }
        let (x, y) = (LEFT.midpoint(right), HEIGHT - 5.0);
        let _ = writeln!(text, "<text class=\"tick\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">cycles</text>");
        let (unit, y) = (escaped(self.unit), ABOVE.midpoint(base));
        let _ = writeln!(
            text,
            "<text class=\"tick\" x=\"12\" y=\"{y}\" text-anchor=\"middle\" transform=\"rotate(-90 12 {y})\">{unit}</text>"
        );
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (WIDTH - LEFT - BESIDE) * value / self.right.max(1.0)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - ABOVE) * value / self.top.max(1.0)
    }
}

/// At most so many points as a figure can show, the last one always.
fn thinned(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
    let step = points.len().div_ceil(POINTS).max(1);
    let last = points.len().saturating_sub(1);
    points.iter().enumerate().filter(move |(at, _)| at.is_multiple_of(step) || *at == last).map(|(_, point)| *point)
}

/// Round values from 0 up to `top`, three to six of them.
fn ticks(top: f64) -> Vec<f64> {
    let rough = top.max(1.0) / 5.0;
    let power = 10f64.powf(rough.log10().floor()).max(1.0);
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough).unwrap_or(power);
    (0..).map(|n| f64::from(n) * step).take_while(|value| *value <= top.max(1.0)).collect()
}

/// 1500 as 1.5k.
fn short(value: f64) -> String {
    let (value, unit) = match value {
        1e9.. => (value / 1e9, "G"),
        1e6.. => (value / 1e6, "M"),
        1e3.. => (value / 1e3, "k"),
        _ => (value, ""),
    };
    format!("{}{unit}", (value * 100.0).round() / 100.0)
}

/// Text in HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_values() {
        assert_eq!(ticks(1024.0), [0.0, 500.0, 1000.0]);
        assert_eq!(ticks(32.0), [0.0, 10.0, 20.0, 30.0]);
        assert_eq!(ticks(0.0), [0.0, 1.0]);
        assert_eq!([short(1500.0), short(2e6), short(12.0), short(0.0)], ["1.5k", "2M", "12", "0"]);
    }

    #[test]
    fn a_curve_is_at_its_place_and_names_are_text() {
        let curve = Curve { name: "a<b".into(), colour: 9, points: vec![(0.0, 0.0), (100.0, 50.0)] };
        let level = Some((25.0, "half".to_owned()));
        let chart = Chart { title: "\"t\" & u", unit: "lines", curves: vec![curve], right: 100.0, top: 50.0, level };
        let svg = chart.svg();
        // From the lower left corner to the upper right one.
        assert!(svg.contains("class=\"curve c1\" points=\"64.0,204.0 508.0,14.0\"><title>a&lt;b</title>"), "{svg}");
        assert!(svg.contains("class=\"level\" x1=\"64\" x2=\"508\" y1=\"109.0\""), "{svg}");
        assert!(svg.contains("&quot;t&quot; &amp; u"), "{svg}");
    }

    #[test]
    fn long_curves_are_thinned_and_keep_their_end() {
        let points: Vec<_> = (0..1000).map(|n| (f64::from(n), 0.0)).collect();
        let thinned: Vec<_> = thinned(&points).collect();
        assert!(thinned.len() <= POINTS + 1 && thinned.last() == Some(&(999.0, 0.0)));
    }
}
