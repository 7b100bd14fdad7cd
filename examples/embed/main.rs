//! Embedding example.
fn main() {}
