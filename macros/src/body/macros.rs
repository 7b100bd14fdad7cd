//! Macro calls in a body.
//!
//! Invariants
//! - `assert!` and `debug_print!` are the language's; `vec!`, `format!`, `matches!`, `panic!` and `unreachable!` are
//!   Rust's own over comptime values, their arguments rewritten like any expression. There are no others.

use super::{Body, parse};
use quote::{ToTokens, quote_spanned};
use syn::{Expr, Ident, Pat, Token, parse::ParseStream, punctuated::Punctuated, spanned::Spanned};

impl Body {
    pub(super) fn macro_call(&mut self, e: &mut Expr) {
        let Expr::Macro(x) = e else { return };
        let name = x.mac.path.get_ident().map(Ident::to_string).unwrap_or_default();
        let written = match name.as_str() {
            "assert" => self.assert(&x.mac),
            "debug_print" => self.debug_print(&x.mac),
            "vec" => self.vec(&x.mac),
            "matches" => self.matches(&x.mac),
            "format" | "panic" | "unreachable" => self.formatted(&x.mac),
            _ => {
                self.error(&x.mac.path, "this macro is not supported in a kernel: there are `assert!` and `debug_print!`, and for comptime values `vec!`, `format!`, `matches!`, `panic!` and `unreachable!`");
                return;
            }
        };
        match written {
            Ok(written) => *e = written,
            Err(error) => self.errors.push(error),
        }
    }

    /// The arguments, rewritten.
    fn arguments(&mut self, mac: &syn::Macro) -> syn::Result<Vec<Expr>> {
        let list = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
        let mut list: Vec<Expr> = list.into_iter().collect();
        self.exprs(&mut list);
        Ok(list)
    }

    fn assert(&mut self, mac: &syn::Macro) -> syn::Result<Expr> {
        let span = mac.path.span();
        let args = self.arguments(mac)?;
        let given = match &args[..] {
            [claim] => Some((claim, mac.tokens.to_string())),
            [claim, text] => text_of(text).map(|text| (claim, text)),
            _ => None,
        };
        let Some((claim, text)) = given else {
            return Err(syn::Error::new(
                span,
                "`assert!` takes a condition and, if you like, a text without `{}`: `assert!(i < n, \"text\")`",
            ));
        };
        Ok(parse(quote_spanned! {span=> evenweave_lang::rt::claim(#claim, #text) }))
    }

    fn debug_print(&mut self, mac: &syn::Macro) -> syn::Result<Expr> {
        let span = mac.path.span();
        let args = self.arguments(mac)?;
        let Some(text) = args.first().and_then(text_of) else {
            return Err(syn::Error::new(
                span,
                "`debug_print!` begins with a text: `debug_print!(\"x = {}\", x)`",
            ));
        };
        let values = &args[1..];
        Ok(parse(quote_spanned! {span=>
            evenweave_lang::rt::print(#text, ::std::vec![#(evenweave_lang::rt::printed(#values)),*])
        }))
    }

    /// `vec![a, b]` and `vec![a; n]`.
    fn vec(&mut self, mac: &syn::Macro) -> syn::Result<Expr> {
        let span = mac.path.span();
        let repeated = |input: ParseStream| {
            let value: Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok((value, input.parse::<Expr>()?))
        };
        if let Ok((mut value, mut count)) = mac.parse_body_with(repeated) {
            self.expr(&mut value);
            self.expr(&mut count);
            return Ok(parse(quote_spanned! {span=> ::std::vec![#value; #count] }));
        }
        let args = self.arguments(mac)?;
        Ok(parse(quote_spanned! {span=> ::std::vec![#(#args),*] }))
    }

    /// `matches!(value, pattern if guard)`, as the `match` that it is.
    fn matches(&mut self, mac: &syn::Macro) -> syn::Result<Expr> {
        let span = mac.path.span();
        let (value, pat, guard) = mac.parse_body_with(|input: ParseStream| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let pat = Pat::parse_multi_with_leading_vert(input)?;
            let guard = match input.parse::<Option<Token![if]>>()? {
                Some(_) => Some(input.parse::<Expr>()?),
                None => None,
            };
            input.parse::<Option<Token![,]>>()?;
            Ok((value, pat, guard))
        })?;
        let guard = guard.map(|guard| quote_spanned! {span=> if #guard });
        let mut e =
            parse(quote_spanned! {span=> match #value { #pat #guard => true, _ => false } });
        self.expr(&mut e);
        Ok(e)
    }

    /// A format text and its arguments, some of them named.
    fn formatted(&mut self, mac: &syn::Macro) -> syn::Result<Expr> {
        let (path, span) = (&mac.path, mac.path.span());
        let mut list = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
        for arg in &mut list {
            match arg {
                Expr::Assign(named) => self.expr(&mut named.right),
                arg => self.expr(arg),
            }
        }
        let list = list.into_token_stream();
        Ok(parse(quote_spanned! {span=> #path!(#list) }))
    }
}

fn text_of(e: &Expr) -> Option<String> {
    match e {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. }) => Some(s.value()),
        _ => None,
    }
}
