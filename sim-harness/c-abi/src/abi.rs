//! What the header says of every unit: version, status codes, fields of rows. The structs of a unit are in its folder.

use crate::builds::Build;
use lwp_model::flat::Field;

/// `LWP_MODEL_ABI_VERSION`.
pub const ABI_VERSION: u32 = 1;

/// `lwp_status_t`: what the functions answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// A pointer is null.
    Null = 1,
    /// A size is not that of this version's struct or row.
    Size = 2,
    /// Header and library have different ABI versions.
    Version = 3,
    /// A pointer is not aligned for what it points to.
    Align = 4,
    /// This is not a model.
    Handle = 5,
    /// No model of these sizes, or of this name, is built in.
    Build = 6,
    /// Straps that no hardware may have.
    Straps = 7,
    /// A field holds a value that its port cannot carry.
    Range = 8,
    /// The unit differs from the model.
    Mismatch = 9,
    /// A bug in the model.
    Internal = 10,
    /// There is nothing that a failure capsule could hold.
    Capsule = 11,
    /// A file cannot be written.
    File = 12,
}

/// A name in a struct, ended by a zero byte.
type Name<const N: usize> = [u8; N];

fn name<const N: usize>(text: &str) -> Name<N> {
    let mut name = [0; N];
    // One too long would be cut; a test looks that none is.
    let bytes = &text.as_bytes()[..text.len().min(N - 1)];
    name[..bytes.len()].copy_from_slice(bytes);
    name
}

/// `lwp_build_t`: a build of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct BuildInfo {
    /// Name of the unit.
    pub unit: [u8; 16],
    /// Name of the build.
    pub build: [u8; 16],
    /// Words of the straps.
    pub strap_words: u32,
    /// Words of a row of inputs.
    pub input_words: u32,
    /// Words of a row of outputs and registers.
    pub row_words: u32,
    /// 0.
    pub reserved: u32,
}

impl BuildInfo {
    pub(crate) fn of(build: &Build) -> Self {
        let [strap_words, input_words, row_words] = build.words.map(|words| words as u32);
        Self { unit: name(build.unit), build: name(build.name), strap_words, input_words, row_words, reserved: 0 }
    }
}

/// `lwp_field_t`: a field of a row of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct FieldInfo {
    /// Its name in the unit's contract.
    pub name: [u8; 64],
    /// The word that holds its lowest bit.
    pub word: u32,
    /// Its lowest bit in that word.
    pub lsb: u32,
    /// 1 to 64 bits, which may reach into the words that follow.
    pub width: u32,
    /// 0.
    pub reserved: u32,
}

impl FieldInfo {
    pub(crate) fn of(field: &Field) -> Self {
        Self { name: name(field.name), word: field.word as u32, lsb: field.lsb, width: field.width, reserved: 0 }
    }
}

/// `LWP_ROW_STRAPS` and so on: which of a unit's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum RowKind {
    /// The straps.
    Straps = 0,
    /// The inputs of a cycle.
    Inputs = 1,
    /// Outputs, then every register.
    Shown = 2,
}

impl RowKind {
    pub(crate) const ALL: [Self; 3] = [Self::Straps, Self::Inputs, Self::Shown];

    pub(crate) fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u32 == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builds::BUILDS;

    #[test]
    fn every_name_fits() {
        for build in BUILDS {
            assert!(build.unit.len() < 16 && build.name.len() < 16);
            let unit = (build.make)(None).unwrap();
            for kind in RowKind::ALL {
                assert_eq!(unit.words(kind), build.words[kind as usize]);
                for field in unit.fields(kind) {
                    assert!(field.name.len() < 64, "{}", field.name);
                }
            }
        }
        assert_eq!(name::<4>("abc"), *b"abc\0");
        assert_eq!(name::<4>("abcd"), *b"abc\0");
    }
}
