//! The list of the public API, line by line.

/// A public function.
pub(crate) struct Function {
    /// The line that lists it.
    pub(crate) line: String,
    /// The `impl` that it stands in, if any.
    pub(crate) of: Option<String>,
    /// The type, or the module of a free function.
    pub(crate) owner: String,
    /// Its name, without parameters.
    pub(crate) name: String,
    /// Its own generic parameters, without the brackets.
    pub(crate) generics: String,
    /// Types of its arguments.
    pub(crate) arguments: Vec<String>,
    /// Type of its result; empty if there is none.
    pub(crate) result: String,
    /// The caller has to keep a contract.
    pub(crate) is_unsafe: bool,
}

/// A public type, and what of it is public.
pub(crate) struct Type {
    /// `struct`, `enum` or another word.
    pub(crate) kind: String,
    /// Path, without generic parameters.
    pub(crate) path: String,
    /// What follows the path: generic parameters, fields of a tuple.
    pub(crate) rest: String,
    /// It may get more fields or variants.
    pub(crate) is_open: bool,
    /// Fields or variants: the line after the path.
    pub(crate) members: Vec<String>,
}

pub(crate) struct Api {
    pub(crate) functions: Vec<Function>,
    /// Paths of the constants that are a value of the type they belong to.
    pub(crate) constants: Vec<String>,
    pub(crate) types: Vec<Type>,
}

/// `text` in the parts between `separator`s outside any brackets.
pub(crate) fn split<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0i32);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' | b')' | b']' | b'}' => depth -= 1,
            _ if depth == 0 && text[at..].starts_with(separator) => {
                parts.push(text[start..at].trim());
                at += separator.len();
                start = at;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    if !text[start..].trim().is_empty() {
        parts.push(text[start..].trim());
    }
    parts
}

/// The place of the first `(` outside angle brackets.
fn open(text: &str) -> Option<usize> {
    let mut depth = 0;
    let bytes = text.as_bytes();
    (0..bytes.len()).find(|&at| {
        match bytes[at] {
            b'<' => depth += 1,
            b'>' if bytes[at - 1] != b'-' => depth -= 1,
            _ => {}
        }
        bytes[at] == b'(' && depth == 0
    })
}

/// The place of the `)` that belongs to the `(` at `open`.
fn close(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    text.bytes().enumerate().skip(open).find_map(|(at, byte)| {
        depth += match byte {
            b'(' => 1,
            b')' => -1,
            _ => 0,
        };
        (depth == 0).then_some(at)
    })
}

impl Function {
    fn parse(line: &str, of: Option<&str>) -> Option<Self> {
        let rest = line.strip_prefix("pub ")?;
        let rest = rest.strip_prefix("const ").unwrap_or(rest);
        let (is_unsafe, rest) = rest.strip_prefix("unsafe ").map_or((false, rest), |rest| (true, rest));
        let signature = rest.strip_prefix("fn ")?;
        let first = open(signature)?;
        let last = close(signature, first)?;
        let path = split(&signature[..first], "::");
        let (name, owner) = path.split_last()?;
        let (name, generics) = name.split_once('<').unwrap_or((name, ""));
        let result = signature[last + 1..].trim().strip_prefix("->").unwrap_or_default();
        Some(Self {
            line: line.into(),
            of: of.map(Into::into),
            owner: owner.join("::"),
            name: name.into(),
            generics: generics.strip_suffix('>').unwrap_or(generics).into(),
            arguments: split(&signature[first + 1..last], ",").into_iter().map(Into::into).collect(),
            result: split(result, " where ").first().copied().unwrap_or_default().into(),
            is_unsafe,
        })
    }

    /// Whether it is the declaration of a trait's function, whose implementations are listed themselves.
    pub(crate) fn is_declaration(&self) -> bool {
        self.of.as_deref().is_some_and(|of| of.contains("trait "))
    }
}

impl Type {
    fn parse(line: &str) -> Option<Self> {
        let is_open = line.contains("#[non_exhaustive]");
        let line = &line[line.find("pub ")?..];
        let mut words = line.splitn(3, ' ').skip(1);
        let (kind, rest) = (words.next()?, words.next()?);
        if !matches!(kind, "struct" | "enum") {
            return None;
        }
        let end = rest.find(['<', '(']).unwrap_or(rest.len());
        let (path, rest) = rest.split_at(end);
        Some(Self { kind: kind.into(), path: path.into(), rest: rest.into(), is_open, members: Vec::new() })
    }
}

/// Whether an `impl`, or the declaration of a trait, is that of this type or trait.
fn is_of(of: &str, owner: &str) -> bool {
    let of = of.split(" where ").next().unwrap_or_default();
    let mut ends = of.match_indices(owner).map(|(at, _)| (of[..at].chars().next_back(), &of[at + owner.len()..]));
    ends.any(|(before, after)| {
        matches!(before, Some(' ')) && (after.is_empty() || after.starts_with(':') && !after.starts_with("::"))
    })
}

impl Api {
    pub(crate) fn parse(text: &str) -> Self {
        let mut api = Self { functions: Vec::<Function>::new(), constants: Vec::new(), types: Vec::<Type>::new() };
        let mut of = None;
        for line in text.lines() {
            let begins = ["impl", "unsafe impl", "pub trait ", "pub unsafe trait "];
            if begins.iter().any(|word| line.starts_with(word)) {
                of = Some(line);
            } else if let Some(ty) = Type::parse(line) {
                of = None;
                api.types.push(ty);
            } else if let Some(constant) = line.strip_prefix("pub const ").and_then(|line| line.strip_suffix(": Self"))
            {
                api.constants.push(constant.into());
            } else if line.contains("pub mod ") {
                of = None;
            } else if let Some(mut function) = Function::parse(line, of) {
                // Free functions stand behind the last type of their module.
                function.of = function.of.filter(|of| is_of(of, &function.owner));
                if api.functions.iter().all(|known| known.line != line || known.of != function.of) {
                    api.functions.push(function);
                }
            } else if let Some(ty) = api.types.last_mut()
                && let Some(member) = line.strip_prefix(&format!("pub {}::", ty.path))
            {
                ty.members.push(member.into());
            }
        }
        api
    }
}
