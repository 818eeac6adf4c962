//! The ports that the names of fields make: structs, arrays and arrays of arrays, to any depth.

use lwp_model::flat::Field;

/// Ports, in the order in which the table first names them.
pub(crate) struct Ports(Vec<(&'static str, Node)>);

/// A port, or a part of one.
#[derive(Default)]
struct Node {
    field: Option<Field>,
    /// Fields of a struct in their order, or entries of an array.
    parts: Vec<(Key, Node)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Name(&'static str),
    Entry(usize),
}

impl Ports {
    pub(crate) fn of<'a>(fields: impl IntoIterator<Item = &'a Field>) -> Self {
        let mut root = Node::default();
        for field in fields {
            let node = keys(field.name).fold(&mut root, Node::part);
            node.field = Some(*field);
        }
        let named = |(key, node)| match key {
            Key::Name(name) => Some((name, node)),
            Key::Entry(_) => None,
        };
        Self(root.parts.into_iter().filter_map(named).collect())
    }

    /// Each port with its fields, from the highest bit down: a packed struct begins with its first field, a packed array with its last
    /// entry.
    pub(crate) fn msb_first(&self) -> impl Iterator<Item = (&'static str, Vec<Field>)> {
        self.0.iter().map(|(name, node)| {
            let mut fields = Vec::new();
            node.msb_first(&mut fields);
            (*name, fields)
        })
    }

    /// Each port with its bits.
    pub(crate) fn widths(&self) -> impl Iterator<Item = (&'static str, u32)> {
        self.msb_first().map(|(name, fields)| (name, fields.iter().map(|field| field.width).sum()))
    }

    /// The lowest bit of a field in its port.
    pub(crate) fn lsb(&self, field: &Field) -> u32 {
        let of_port = |(name, fields)| (name == name_of(field)).then_some(fields);
        let fields = self.msb_first().find_map(of_port).unwrap_or_default();
        fields.iter().rev().take_while(|other| other.name != field.name).map(|other| other.width).sum()
    }
}

impl Node {
    fn part(&mut self, key: Key) -> &mut Node {
        let at = self.parts.iter().position(|(own, _)| *own == key).unwrap_or_else(|| {
            self.parts.push((key, Node::default()));
            self.parts.len() - 1
        });
        &mut self.parts[at].1
    }

    fn msb_first(&self, into: &mut Vec<Field>) {
        into.extend(self.field);
        let mut parts: Vec<_> = self.parts.iter().collect();
        if let Some((Key::Entry(_), _)) = parts.first() {
            parts.sort_by_key(|(key, _)| core::cmp::Reverse(*key));
        }
        for (_, part) in parts {
            part.msb_first(into);
        }
    }
}

/// The port that a field belongs to.
pub(crate) fn name_of(field: &Field) -> &'static str {
    field.name.split(['.', '[']).next().unwrap_or(field.name)
}

/// `lanes[1].loads[0].addr` as a name, an entry, a name, an entry and a name.
fn keys(name: &'static str) -> impl Iterator<Item = Key> {
    let key = |part: &'static str| part.parse().map_or(Key::Name(part), Key::Entry);
    name.split(['.', '[', ']']).filter(|part| !part.is_empty()).map(key)
}
