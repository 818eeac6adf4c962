//! Layout of the bins of a unit.

use super::axis::Axis;
use sha2::{Digest, Sha256};

/// Axes of a cross at most.
pub const MAX_AXES: usize = 6;

/// Declaration of a cross in its family.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// `COV-…`.
    pub id: &'static str,
    /// Title: what the cross counts.
    pub title: &'static str,
    /// The axes; the last one runs fastest.
    pub axes: &'static [Axis],
}

/// A dimension with the names of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// Name of the dimension.
    pub name: &'static str,
    /// The values in order.
    pub values: Vec<String>,
}

/// Cross: a bin for each combination of the values of its axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cross {
    /// `COV-…`.
    pub id: &'static str,
    /// Title: what the cross counts.
    pub title: &'static str,
    /// The axes; the last one runs fastest.
    pub axes: Vec<Dimension>,
    /// Index of the first bin.
    pub offset: usize,
    pub(super) sizes: [usize; MAX_AXES],
}

impl Cross {
    /// Returns the number of bins: the product of the sizes of the axes.
    #[must_use]
    pub fn bins(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }

    /// Returns the values of bin `index` of this cross, one per axis.
    #[must_use]
    pub fn values(&self, index: usize) -> Vec<usize> {
        let mut rest = index;
        let mut values: Vec<usize> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let value = rest % axis.values.len();
                rest /= axis.values.len();
                value
            })
            .collect();
        values.reverse();
        values
    }

    /// Returns bin `index` as text, for example `store=idle, control=wait`.
    #[must_use]
    pub fn name(&self, index: usize) -> String {
        let named = |(axis, value): (&Dimension, usize)| format!("{}={}", axis.name, axis.values[value]);
        self.axes.iter().zip(self.values(index)).map(named).collect::<Vec<_>>().join(", ")
    }
}

/// One bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Index of its cross.
    pub cross: usize,
    /// Its index in the cross.
    pub index: usize,
}

/// All crosses of a unit.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// Name of the unit.
    pub unit: &'static str,
    /// The crosses, in the order in which they were declared.
    pub crosses: Vec<Cross>,
    total: usize,
    version: String,
}

impl Layout {
    /// Returns the layout of these crosses. An axis without values has those of all straps.
    #[must_use]
    pub fn new(unit: &'static str, declared: &[Declared], straps: &[String]) -> Self {
        let mut offset = 0;
        let crosses: Vec<Cross> = declared
            .iter()
            .map(|declared| {
                let cross = cross(declared, straps, offset);
                offset += cross.bins();
                cross
            })
            .collect();
        let version = version(&crosses);
        Self { unit, crosses, total: offset, version }
    }

    /// Returns the number of bins.
    #[must_use]
    pub fn total(&self) -> usize {
        self.total
    }

    /// Returns sixteen digits that change when a bin is added, removed, moved or renamed.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the cross with this id.
    #[must_use]
    pub fn cross(&self, id: &str) -> Option<&Cross> {
        self.crosses.iter().find(|cross| cross.id == id)
    }

    /// Returns every bin, in the order of the counters.
    pub fn bins(&self) -> impl Iterator<Item = Bin> + '_ {
        let of = |(cross, known): (usize, &Cross)| (0..known.bins()).map(move |index| Bin { cross, index });
        self.crosses.iter().enumerate().flat_map(of)
    }

    /// Returns the name of a bin with its cross, for example `COV-STG-01: store=idle, then=write`.
    #[must_use]
    pub fn name(&self, bin: Bin) -> String {
        let cross = &self.crosses[bin.cross];
        format!("{}: {}", cross.id, cross.name(bin.index))
    }

    /// The bin at a place among all.
    ///
    /// # Panics
    ///
    /// If there is no such place.
    #[must_use]
    pub fn at(&self, place: usize) -> Bin {
        let cross =
            self.crosses.iter().position(|cross| place < cross.offset + cross.bins()).expect("a place of a bin");
        Bin { cross, index: place - self.crosses[cross].offset }
    }

    /// Returns the index of a bin among all bins.
    #[must_use]
    pub fn place(&self, bin: Bin) -> usize {
        self.crosses[bin.cross].offset + bin.index
    }
}

fn cross(declared: &Declared, straps: &[String], offset: usize) -> Cross {
    let axes: Vec<Dimension> = declared.axes.iter().map(|axis| dimension(axis, straps)).collect();
    let mut sizes = [1; MAX_AXES];
    for (size, axis) in sizes.iter_mut().zip(&axes) {
        *size = axis.values.len();
    }
    Cross { id: declared.id, title: declared.title, axes, offset, sizes }
}

fn dimension(axis: &Axis, straps: &[String]) -> Dimension {
    let fixed = || axis.values.iter().map(|value| (*value).to_owned()).collect();
    Dimension { name: axis.name, values: if axis.values.is_empty() { straps.to_vec() } else { fixed() } }
}

fn version(crosses: &[Cross]) -> String {
    let mut hasher = Sha256::new();
    for cross in crosses {
        hasher.update(cross.id);
        for axis in &cross.axes {
            hasher.update(format!("\n{} {:?}", axis.name, axis.values));
        }
    }
    hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
