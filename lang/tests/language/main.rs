//! The kernel language from an author's side.

mod faults;
mod stage;

/// Every misuse in `tests/ui` is refused with the message beside it.
#[test]
fn misuses_are_explained() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
