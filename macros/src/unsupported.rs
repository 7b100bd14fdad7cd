//! What to say about syntax that a kernel cannot have.

use syn::Expr;

/// Names the syntax and what to write instead.
pub(crate) fn words(e: &Expr) -> &'static str {
    match e {
        Expr::Async(_) | Expr::Await(_) => "`async` is not supported in a kernel",
        Expr::Unsafe(_) => "`unsafe` is not supported in a kernel: the language has no raw memory",
        Expr::Try(_) => {
            "`?` is not supported in a kernel: compute comptime values that may fail before it"
        }
        Expr::TryBlock(_) => "`try` is not supported in a kernel",
        Expr::Yield(_) => "`yield` is not supported in a kernel",
        Expr::Const(_) => "a `const` block is not supported in a kernel: use a `const` item",
        Expr::RawAddr(_) => "raw addresses are not supported in a kernel",
        _ => "this syntax is not supported in a kernel",
    }
}
