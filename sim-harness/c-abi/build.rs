//! Names the shared library as programs look for it when they start: with the version of the ABI.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        // The number is `abi::ABI_VERSION`; a test compares them.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,liblwp_model.so.1");
    }
}
