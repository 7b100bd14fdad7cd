//! Macro calls in a body.

use super::{Body, parse};
use quote::quote_spanned;
use syn::{Expr, Ident, spanned::Spanned};

impl Body {
    pub(super) fn macro_call(&mut self, e: &mut Expr) {
        let Expr::Macro(x) = e else { return };
        let span = x.mac.path.span();
        let name = x.mac.path.get_ident().map(Ident::to_string).unwrap_or_default();
        let args = x
            .mac
            .parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        match (name.as_str(), args) {
            ("assert", Ok(args)) => {
                let mut args: Vec<Expr> = args.into_iter().collect();
                self.exprs(&mut args);
                let given = match &args[..] {
                    [claim] => Some((claim.clone(), None)),
                    [claim, text] => text_of(text).map(|text| (claim.clone(), Some(text))),
                    _ => None,
                };
                let Some((claim, text)) = given else {
                    self.error(&x.mac, "`assert!` takes a condition and, if you like, a text without `{}`: `assert!(i < n, \"text\")`");
                    return;
                };
                let text = text.unwrap_or_else(|| x.mac.tokens.to_string());
                *e = parse(quote_spanned! {span=> evenweave_lang::rt::claim(#claim, #text) });
            }
            ("debug_print", Ok(args)) => {
                let mut args: Vec<Expr> = args.into_iter().collect();
                self.exprs(&mut args);
                let Some(text) = args.first().and_then(text_of) else {
                    self.error(&x.mac, "`debug_print!` begins with a text: `debug_print!(\"x = {}\", x)`");
                    return;
                };
                let values = &args[1..];
                *e = parse(quote_spanned! {span=> evenweave_lang::rt::print(#text, ::std::vec![#(evenweave_lang::rt::printed(#values)),*]) });
            }
            ("vec" | "panic" | "unreachable" | "format" | "matches", _) => self.comptime_macro(e),
            (_, Err(error)) if matches!(name.as_str(), "assert" | "debug_print") => self.errors.push(error),
            _ => self.error(&x.mac.path, "this macro is not supported in a kernel: there are `assert!` and `debug_print!`, and for comptime values `vec!`, `format!`, `matches!`, `panic!` and `unreachable!`"),
        }
    }

    /// A macro of Rust over comptime values: its arguments are rewritten where they are expressions.
    pub(super) fn comptime_macro(&mut self, e: &mut Expr) {
        let Expr::Macro(x) = e else { return };
        let list = x
            .mac
            .parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        if let Ok(mut args) = list {
            for arg in &mut args {
                self.expr(arg);
            }
            x.mac.tokens = quote_spanned! {x.mac.path.span()=> #args };
        }
    }
}

fn text_of(e: &Expr) -> Option<String> {
    match e {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. }) => Some(s.value()),
        _ => None,
    }
}
