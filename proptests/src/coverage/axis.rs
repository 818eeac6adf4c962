//! The dimensions of a cross.

/// A dimension: its name and the names of its values.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// What it tells apart.
    pub name: &'static str,
    /// The values; none for the axis of straps, whose values are those of all straps.
    pub values: &'static [&'static str],
}

/// Declares an enum whose values are those of an axis.
macro_rules! axis {
    ($(#[$meta:meta])* $type:ident $name:literal { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum $type {
            $($(#[$doc])* $variant),+
        }

        impl $type {
            /// The dimension that these values make.
            pub const AXIS: $crate::coverage::Axis = $crate::coverage::Axis { name: $name, values: &[$($text),+] };
        }

        impl From<$type> for usize {
            fn from(value: $type) -> Self {
                value as Self
            }
        }
    };
}
pub(crate) use axis;
