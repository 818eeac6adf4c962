//! What an independent reading has checked, counted.

/// Declares `Coverage`: the number of times each thing was checked, so that a test can require that all of them were.
macro_rules! reading_counts {
    ($($(#[$meta:meta])* $field:ident,)+) => {
        /// The number of times each thing was checked, so that a test can require that all of them were.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Coverage {
            $($(#[$meta])* pub $field: u64,)+
        }

        impl Coverage {
            /// Returns the name of each count, and the count.
            #[must_use]
            pub fn list(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($field), self.$field),)+]
            }
        }

        impl ::core::ops::AddAssign for Coverage {
            fn add_assign(&mut self, other: Self) {
                $(self.$field += other.$field;)+
            }
        }
    };
}

pub(crate) use reading_counts;
