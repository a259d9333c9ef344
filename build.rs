//! Embedded migrations: a new file in `migrations/` must rebuild the crate, which the macro cannot ask for itself.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
