//! The symbols of an ELF file by their names.

use object::{Object, ObjectSymbol, ReadCache, Symbol, SymbolKind, SymbolSection};
use std::fs::File;
use std::path::Path;

/// Returns the address of a symbol, in the file's own terms; `None` if the file has no such symbol or is no object file. A name may be
/// that of the linker or the demangled one. A variable of a thread has no address of its own, and is not found.
pub(super) fn address(path: &Path, name: &str) -> Option<u64> {
    let cache = ReadCache::new(File::open(path).ok()?);
    let file = object::File::parse(&cache).ok()?;
    let placed =
        |symbol: &Symbol<'_, '_, _>| symbol.section() != SymbolSection::Undefined && symbol.kind() != SymbolKind::Tls;
    let mut symbols = file.symbols().chain(file.dynamic_symbols()).filter(placed);
    symbols.find(|symbol| symbol.name().is_ok_and(|own| is(own, name))).map(|symbol| symbol.address())
}

/// Whether a symbol has this name. The hash at the end of a demangled name may be left out.
fn is(own: &str, name: &str) -> bool {
    if own == name {
        return true;
    }
    let demangled = addr2line::demangle_auto(own.into(), None);
    demangled == name || demangled.rsplit_once("::h").is_some_and(|(path, _)| path == name)
}
