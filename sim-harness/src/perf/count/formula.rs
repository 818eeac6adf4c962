//! Metrics of the user's own: `NAME=FORMULA`, with events, numbers, `+ - * /` and parentheses.

use super::CountError;

/// A formula, in the order in which a calculator with a stack takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// What the user calls it.
    pub name: String,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Number(f64),
    Event(String),
    Operator(char),
}

/// Parentheses inside one another, at most.
const DEEPEST: usize = 100;

/// Reads a formula from left to right.
struct Reader<'a> {
    rest: &'a str,
    steps: Vec<Step>,
    /// Parentheses that are open.
    depth: usize,
}

impl Formula {
    /// Reads `NAME=FORMULA`.
    ///
    /// # Errors
    /// [`CountError::Metric`] if that is none.
    pub fn parse(text: &str) -> Result<Self, CountError> {
        let wrong = |what: String| CountError::Metric { formula: text.to_owned(), what };
        let (name, formula) = text.split_once('=').ok_or_else(|| wrong("there is no `=` behind a name".to_owned()))?;
        let mut reader = Reader { rest: formula, steps: Vec::new(), depth: 0 };
        reader.sum().map_err(wrong)?;
        match reader.peek() {
            None => Ok(Self { name: name.trim().to_owned(), steps: reader.steps }),
            Some(letter) => Err(wrong(format!("there is a `{letter}` too much"))),
        }
    }

    /// Returns the events in it, as the user gave them.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| match step {
            Step::Event(event) => Some(event.as_str()),
            _ => None,
        })
    }

    /// Returns its value, where `count` has the counts of the events; `None` if that is no number, for instance after a division by 0.
    pub fn value(&self, count: impl Fn(&str) -> Option<f64>) -> Option<f64> {
        let mut stack = Vec::new();
        for step in &self.steps {
            let value = match step {
                Step::Number(number) => *number,
                Step::Event(event) => count(event)?,
                Step::Operator(operator) => {
                    let (right, left): (f64, f64) = (stack.pop()?, stack.pop()?);
                    match operator {
                        '+' => left + right,
                        '-' => left - right,
                        '*' => left * right,
                        _ => left / right,
                    }
                }
            };
            stack.push(value);
        }
        stack.pop().filter(|value| value.is_finite())
    }
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, length: usize) -> &str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn sum(&mut self) -> Result<(), String> {
        self.product()?;
        while let Some(operator @ ('+' | '-')) = self.peek() {
            self.take(1);
            self.product()?;
            self.steps.push(Step::Operator(operator));
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), String> {
        self.factor()?;
        while let Some(operator @ ('*' | '/')) = self.peek() {
            self.take(1);
            self.factor()?;
            self.steps.push(Step::Operator(operator));
        }
        Ok(())
    }

    fn factor(&mut self) -> Result<(), String> {
        match self.peek() {
            Some('(') => {
                self.take(1);
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(format!("more than {DEEPEST} `(` are open at once"));
                }
                self.sum()?;
                if self.peek() != Some(')') {
                    return Err("a `(` has no `)`".to_owned());
                }
                self.take(1);
                self.depth -= 1;
            }
            Some(letter) if letter.is_ascii_digit() => {
                let end =
                    self.rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(self.rest.len());
                let digits = self.take(end).to_owned();
                let number = digits.parse().map_err(|_| format!("`{digits}` is no number"))?;
                self.steps.push(Step::Number(number));
            }
            Some(letter) if letter.is_ascii_alphabetic() => {
                let belongs = |letter: char| letter.is_ascii_alphanumeric() || "_.:".contains(letter);
                let end = self.rest.find(|letter| !belongs(letter)).unwrap_or(self.rest.len());
                let event = self.take(end).to_owned();
                self.steps.push(Step::Event(event));
            }
            Some(letter) => return Err(format!("`{letter}` is neither an event nor a number")),
            None => return Err("it ends too early".to_owned()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<f64> {
        let counts = |event: &str| match event {
            "A" => Some(6.0),
            "B:u" => Some(2.0),
            "ZERO" => Some(0.0),
            _ => None,
        };
        Formula::parse(text).unwrap().value(counts)
    }

    // MET-23: any metric of the user's own over the events
    #[test]
    fn formulas_have_values() {
        assert_eq!(value("x=A / B:u"), Some(3.0));
        assert_eq!(value("x=1 - A * 2 / (B:u + 10)"), Some(0.0));
        assert_eq!(value("x=A - 1 - 2.5"), Some(2.5), "from left to right");
        assert_eq!(value("x=A / ZERO"), None);
        assert_eq!(value("x=C"), None);
        assert!(Formula::parse("x=A/(B:u+A)").unwrap().events().eq(["A", "B:u", "A"]));
    }

    #[test]
    fn what_is_no_formula_is_told() {
        let what = |text: &str| Formula::parse(text).unwrap_err().to_string();
        assert_eq!(what("A/B"), "the metric `A/B`: there is no `=` behind a name");
        assert_eq!(what("x=A/"), "the metric `x=A/`: it ends too early");
        assert_eq!(what("x=(A"), "the metric `x=(A`: a `(` has no `)`");
        assert_eq!(what("x=A B"), "the metric `x=A B`: there is a `B` too much");
        assert_eq!(what("x=1.2.3"), "the metric `x=1.2.3`: `1.2.3` is no number");
        assert_eq!(what("x=A % 2"), "the metric `x=A % 2`: there is a `%` too much");
        let nested = |depth| format!("x={}A{}", "(".repeat(depth), ")".repeat(depth));
        assert!(Formula::parse(&nested(DEEPEST)).is_ok());
        assert!(
            Formula::parse(&format!("{}+{}", nested(DEEPEST), &nested(DEEPEST)[2..])).is_ok(),
            "one after the other"
        );
        for depth in [DEEPEST + 1, 1_000_000] {
            assert!(what(&nested(depth)).ends_with("more than 100 `(` are open at once"));
        }
        assert_eq!(what("x=%"), "the metric `x=%`: `%` is neither an event nor a number");
    }
}
