//! Dimensions of a cross.

/// Dimension: its name and the names of its values.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Name of the dimension.
    pub name: &'static str,
    /// Values; empty for the axis of straps, whose values are those of all straps.
    pub values: &'static [&'static str],
}

/// Declares an enum whose values are the values of an axis.
macro_rules! axis {
    ($(#[$meta:meta])* $type:ident $name:literal { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum $type {
            $($(#[$doc])* $variant),+
        }

        impl $type {
            /// Axis with these values.
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
