//! Operators, conversions, indexing and assignment.
//!
//! Invariants
//! - The right side of an assignment is evaluated before its target, the index of a compound one once.

use super::{Body, parse};
use crate::scope::Kind;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{BinOp, Expr, Ident, spanned::Spanned};

impl Body {
    pub(super) fn binary(&mut self, e: &mut Expr) {
        let Expr::Binary(x) = e else { return };
        let span = x.op.span();
        if let Some(op) = assigned(&x.op) {
            let (left, mut right) = ((*x.left).clone(), (*x.right).clone());
            self.expr(&mut right);
            *e = self.update(left, op, right, span);
            return;
        }
        self.expr(&mut x.left);
        self.expr(&mut x.right);
        let (left, right) = (&x.left, &x.right);
        let compare = match x.op {
            BinOp::Eq(_) => "eq",
            BinOp::Ne(_) => "ne",
            BinOp::Lt(_) => "lt",
            BinOp::Le(_) => "le",
            BinOp::Gt(_) => "gt",
            BinOp::Ge(_) => "ge",
            BinOp::And(_) => {
                *e = parse(
                    quote_spanned! {span=> evenweave_lang::rt::Logic::and(#left, || #right) },
                );
                return;
            }
            BinOp::Or(_) => {
                *e =
                    parse(quote_spanned! {span=> evenweave_lang::rt::Logic::or(#left, || #right) });
                return;
            }
            _ => return,
        };
        let compare = Ident::new(compare, span);
        *e = parse(quote_spanned! {span=> evenweave_lang::rt::#compare(&(#left), &(#right)) });
    }

    pub(super) fn cast(&mut self, e: &mut Expr) {
        let Expr::Cast(x) = e else { return };
        if let Some(number) = literal(&x.expr) {
            // A literal's own type is not known yet: Rust converts to its primitives, `lit` to any dtype.
            if !is_primitive(&x.ty) {
                let (ty, span) = (&x.ty, x.as_token.span);
                *e =
                    parse(quote_spanned! {span=> evenweave_lang::val::lit::<#ty>(#number as f64) });
            }
            return;
        }
        self.expr(&mut x.expr);
        let (value, ty, span) = (&x.expr, &x.ty, x.as_token.span);
        *e = parse(quote_spanned! {span=> evenweave_lang::rt::cast::<#ty, _>(#value) });
    }

    /// The memory and index of `x[i]`; an array of indices becomes a tuple, whose parts may differ in type.
    pub(super) fn place(&mut self, x: &mut syn::ExprIndex) -> (TokenStream, Expr) {
        let span = x.bracket_token.span.join();
        if let Expr::Array(indices) = &*x.index {
            let elems = &indices.elems;
            *x.index = if elems.is_empty() || elems.trailing_punct() {
                parse(quote_spanned! {span=> (#elems) })
            } else {
                parse(quote_spanned! {span=> (#elems,) })
            };
        }
        self.expr(&mut x.index);
        let index = (*x.index).clone();
        (self.memory(&mut x.expr), index)
    }

    /// The memory of an index: an array of registers is named, not read.
    pub(super) fn memory(&mut self, e: &mut Expr) -> TokenStream {
        if self.kind_of(e) == Kind::Registers {
            return quote_spanned! {e.span()=> #e };
        }
        if let Expr::Index(inner) = e
            && self.is_registers(inner)
        {
            let span = inner.bracket_token.span.join();
            let (memory, index) = self.place(inner);
            return quote_spanned! {span=> (*evenweave_lang::rt::inner(&#memory, #index)) };
        }
        self.expr(e);
        quote_spanned! {e.span()=> #e }
    }

    pub(super) fn is_registers(&self, x: &syn::ExprIndex) -> bool {
        match &*x.expr {
            Expr::Index(inner) => self.is_registers(inner),
            e => self.kind_of(e) == Kind::Registers,
        }
    }

    pub(super) fn index(&mut self, e: &mut Expr) {
        let Expr::Index(x) = e else { return };
        let span = x.expr.span();
        let (memory, index) = self.place(x);
        *e = parse(quote_spanned! {span=> evenweave_lang::rt::load(&#memory, #index) });
    }

    pub(super) fn assign(&mut self, e: &mut Expr) {
        let Expr::Assign(x) = e else { return };
        let span = x.left.span();
        self.expr(&mut x.right);
        let right = (*x.right).clone();
        let left = (*x.left).clone();
        *e = self.write(left, right, span);
    }

    /// `left = right`.
    pub(super) fn write(&mut self, mut left: Expr, right: Expr, span: Span) -> Expr {
        match self.kind_of(&left) {
            Kind::Register | Kind::Registers => {
                return parse(quote_spanned! {span=> #left.set(#right) });
            }
            Kind::Plain => {}
        }
        match &mut left {
            Expr::Paren(x) => self.write((*x.expr).clone(), right, span),
            Expr::Index(x) => {
                let (memory, index) = self.place(x);
                parse(quote_spanned! {span=> evenweave_lang::rt::store(&#memory, #index, #right) })
            }
            Expr::Tuple(x) => {
                let locals: Vec<Ident> = x.elems.iter().map(|_| self.local(span)).collect();
                let writes: Vec<Expr> = x
                    .elems
                    .iter()
                    .zip(&locals)
                    .map(|(target, local)| {
                        self.write(target.clone(), parse(quote_spanned! {span=> #local }), span)
                    })
                    .collect();
                parse(quote_spanned! {span=> { let (#(#locals,)*) = #right; #(#writes;)* } })
            }
            Expr::Infer(_) => parse(quote_spanned! {span=> _ = #right }),
            Expr::Path(_) => {
                self.error(&left, "this name does not change: declare it with `let mut`");
                left
            }
            other => {
                self.error(&*other, "cannot assign to this: a register, `x[i]` or a tuple of them");
                left
            }
        }
    }

    /// `left op= right`.
    pub(super) fn update(
        &mut self,
        mut left: Expr,
        op: TokenStream,
        right: Expr,
        span: Span,
    ) -> Expr {
        let value = self.local(span);
        match self.kind_of(&left) {
            Kind::Register => {
                return parse(
                    quote_spanned! {span=> { let #value = #right; #left.set(#left.get() #op #value) } },
                );
            }
            Kind::Registers | Kind::Plain => {}
        }
        match &mut left {
            Expr::Paren(x) => self.update((*x.expr).clone(), op, right, span),
            Expr::Index(x) => {
                let at = self.local(span);
                let (memory, index) = self.place(x);
                parse(quote_spanned! {span=> {
                    let #value = #right;
                    let #at = #index;
                    evenweave_lang::rt::store(&#memory, #at, evenweave_lang::rt::load(&#memory, #at) #op #value)
                } })
            }
            Expr::Path(_) => {
                self.error(&left, "this name does not change: declare it with `let mut`");
                left
            }
            other => {
                self.error(&*other, "cannot assign to this: a register or `x[i]`");
                left
            }
        }
    }
}

/// The operator of a compound assignment.
fn assigned(op: &BinOp) -> Option<TokenStream> {
    let span = op.span();
    Some(match op {
        BinOp::AddAssign(_) => quote_spanned!(span=> +),
        BinOp::SubAssign(_) => quote_spanned!(span=> -),
        BinOp::MulAssign(_) => quote_spanned!(span=> *),
        BinOp::DivAssign(_) => quote_spanned!(span=> /),
        BinOp::RemAssign(_) => quote_spanned!(span=> %),
        BinOp::BitAndAssign(_) => quote_spanned!(span=> &),
        BinOp::BitOrAssign(_) => quote_spanned!(span=> |),
        BinOp::BitXorAssign(_) => quote_spanned!(span=> ^),
        BinOp::ShlAssign(_) => quote_spanned!(span=> <<),
        BinOp::ShrAssign(_) => quote_spanned!(span=> >>),
        _ => return None,
    })
}

/// A number, or a negated one.
fn literal(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(_) | syn::Lit::Float(_), .. }) => Some(e),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => literal(expr).map(|_| e),
        Expr::Paren(x) => literal(&x.expr),
        _ => None,
    }
}

/// Whether Rust's own `as` converts a literal to the type.
fn is_primitive(ty: &syn::Type) -> bool {
    const WORDS: [&str; 14] = [
        "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "i128", "u128", "isize", "usize",
        "f32", "f64",
    ];
    matches!(ty, syn::Type::Path(p) if WORDS.iter().any(|word| p.path.is_ident(word)))
}
