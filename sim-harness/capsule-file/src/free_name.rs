//! Names for what a failure leaves: nothing that is there is overwritten.

use std::path::{Path, PathBuf};

/// `path`, or the first of `path-2`, `path-3`, ... (before the last ending) that is free.
///
/// # Panics
/// Never: there are more numbers than files.
#[must_use]
pub fn free_name(path: &Path, is_free: impl Fn(&Path) -> bool) -> PathBuf {
    if is_free(path) {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let ending = path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    (2_u64..)
        .map(|number| path.with_file_name(format!("{stem}-{number}{ending}")))
        .find(|path| is_free(path))
        .expect("more numbers than files")
}

#[cfg(test)]
mod tests {
    use super::free_name;
    use std::path::Path;

    #[test]
    fn the_first_free_number_is_taken() {
        let taken = ["a/b.capsule", "a/b-2.capsule"];
        let free = |path: &Path| !taken.iter().any(|taken| Path::new(taken) == path);
        assert_eq!(free_name(Path::new("a/b.capsule"), free), Path::new("a/b-3.capsule"));
        assert_eq!(free_name(Path::new("a/c.capsule"), free), Path::new("a/c.capsule"));
        assert_eq!(free_name(Path::new("a/b"), |path| path != Path::new("a/b")), Path::new("a/b-2"));
    }
}
