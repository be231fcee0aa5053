//! Rebuilds the crate when the page has been built anew. It never builds the page itself.

use std::path::Path;

fn main() {
    let page = Path::new("../../web/dist");
    // cargo would rebuild every time for a path that isn't there, and would
    // never notice one that it wasn't told about. Where the sources can't be
    // written to, nothing in them changes either.
    let _ = std::fs::create_dir_all(page);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", page.display());
}
