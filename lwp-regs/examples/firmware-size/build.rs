//! Links the firmware as `link.ld` says.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo:rerun-if-changed=link.ld");
    println!("cargo:rustc-link-arg-bins=-T{folder}/link.ld");
    println!("cargo:rustc-link-arg-bins=--no-pie");
}
