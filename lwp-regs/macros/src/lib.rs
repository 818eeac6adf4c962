//! The accessors of a register layout; `lwp_regs::register!` is their only user. It depends on no other crate, since every
//! build of `lwp-regs` waits for it.

mod emit;
mod item;
mod tokens;

use proc_macro::TokenStream;

/// Makes a register of a struct: an integer with `new`, `from_bits`, `into_bits`, the table `FIELDS`, and for each field
/// that is not reserved a getter, `with_` and `set_`.
///
/// The argument is the path of `lwp-regs` in parentheses, the integer, and `defmt` where that feature is to be asked.
#[proc_macro_attribute]
pub fn fields(argument: TokenStream, item: TokenStream) -> TokenStream {
    match item::Item::parse(argument, item) {
        Ok(item) => emit::register(&item),
        Err(error) => error.into_compile_error(),
    }
}
