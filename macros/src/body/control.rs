//! `if`, loops, `break`, `continue`, `return`, `match` and closures.
//!
//! Invariants
//! - The arms and bodies stay Rust blocks, run zero, one or many times while staging: so Rust's own `break`
//!   and `continue` can leave an unrolled loop.

use super::{Body, Leave, Loop, parse};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::{BinOp, Error, Expr, Ident, Label, Lifetime, RangeLimits, spanned::Spanned};

impl Body {
    pub(super) fn if_expr(&mut self, e: &mut Expr) {
        let Expr::If(x) = e else { return };
        let span = x.if_token.span;
        if has_let(&x.cond) {
            self.scopes.open();
            self.let_condition(&mut x.cond);
            self.block(&mut x.then_branch);
            self.scopes.close();
            if let Some((_, other)) = &mut x.else_branch {
                self.expr(other);
            }
            return;
        }
        self.expr(&mut x.cond);
        self.block(&mut x.then_branch);
        let (cond, then) = (&x.cond, &x.then_branch);
        let open = format_ident!("__ew_if", span = span);
        match &mut x.else_branch {
            None => {
                *e = parse(quote_spanned! {span=> {
                    let #open = evenweave_lang::rt::Condition::begin_if(#cond);
                    if #open.then() #then
                    #open.end()
                } });
            }
            Some((_, other)) => {
                self.expr(other);
                *e = parse(quote_spanned! {span=> {
                    let #open = evenweave_lang::rt::Condition::begin_if(#cond);
                    let __ew_then = if #open.then() { ::core::option::Option::Some(#then) } else { ::core::option::Option::None };
                    let __ew_else = if #open.otherwise() { ::core::option::Option::Some(#other) } else { ::core::option::Option::None };
                    #open.join(__ew_then, __ew_else)
                } });
            }
        }
    }

    /// `if let` and chains of it stay Rust's own: their conditions are comptime.
    pub(super) fn let_condition(&mut self, e: &mut Expr) {
        match e {
            Expr::Let(x) => {
                self.expr(&mut x.expr);
                self.declare(&x.pat);
            }
            Expr::Binary(x) if matches!(x.op, BinOp::And(_)) => {
                self.let_condition(&mut x.left);
                self.let_condition(&mut x.right);
            }
            other => self.expr(other),
        }
    }

    pub(super) fn enter(&mut self, local: &Ident, label: &Option<Label>) {
        self.loops.push(Loop {
            local: local.clone(),
            label: label.as_ref().map(|l| l.name.ident.clone()),
            closures: self.closures,
        });
    }

    pub(super) fn for_loop(&mut self, e: &mut Expr) {
        let Expr::ForLoop(x) = e else { return };
        let span = x.for_token.span;
        let local = self.local(span);
        let range = self.range(&x.expr);
        let mut plain = (*x.expr).clone();
        if range.is_none() {
            self.expr(&mut plain);
        }
        self.scopes.open();
        self.declare(&x.pat);
        self.enter(&local, &x.label);
        self.block(&mut x.body);
        self.loops.pop();
        self.scopes.close();
        let (label, pat, body) = (&x.label, &x.pat, &x.body);
        *e = match range {
            Some(range) => parse(quote_spanned! {span=> {
                let mut #local = #range;
                #label while let ::core::option::Option::Some(#pat) = #local.next() #body
            } }),
            None => parse(quote_spanned! {span=> {
                let #local = evenweave_lang::rt::iterated();
                #label for #pat in #plain #body
            } }),
        };
    }

    /// The loop of `a..b`, `a..=b`, and either with `.step_by(s)`.
    pub(super) fn range(&mut self, e: &Expr) -> Option<TokenStream> {
        match e {
            Expr::Paren(x) => self.range(&x.expr),
            Expr::Range(x) => {
                let span = x.limits.span();
                let (Some(start), Some(end)) = (&x.start, &x.end) else {
                    self.error(x, "a range of a `for` has both bounds");
                    return Some(quote_spanned! {span=> evenweave_lang::rt::range(0, 0) });
                };
                let (mut start, mut end) = ((**start).clone(), (**end).clone());
                self.expr(&mut start);
                self.expr(&mut end);
                let function = match x.limits {
                    RangeLimits::HalfOpen(_) => Ident::new("range", span),
                    RangeLimits::Closed(_) => Ident::new("range_inclusive", span),
                };
                Some(quote_spanned! {span=> evenweave_lang::rt::#function(#start, #end) })
            }
            Expr::MethodCall(x) if x.method == "step_by" && x.args.len() == 1 => {
                let range = self.range(&x.receiver)?;
                let mut step = x.args[0].clone();
                self.expr(&mut step);
                let span = x.method.span();
                Some(quote_spanned! {span=> evenweave_lang::rt::StepBy::step_by(#range, #step) })
            }
            _ => None,
        }
    }

    pub(super) fn while_loop(&mut self, e: &mut Expr) {
        let Expr::While(x) = e else { return };
        let span = x.while_token.span;
        if has_let(&x.cond) {
            self.error(&x.cond, "`while let` is not supported: loops of a kernel are run-time, patterns are comptime");
            return;
        }
        let local = self.local(span);
        self.expr(&mut x.cond);
        self.enter(&local, &x.label);
        self.block(&mut x.body);
        self.loops.pop();
        let (label, cond, body) = (&x.label, &x.cond, &x.body);
        *e = parse(quote_spanned! {span=> {
            let mut #local = evenweave_lang::rt::endless();
            #label while let ::core::option::Option::Some(()) = #local.next() {
                #local.test(#cond);
                #body
            }
        } });
    }

    pub(super) fn endless_loop(&mut self, e: &mut Expr) {
        let Expr::Loop(x) = e else { return };
        let span = x.loop_token.span;
        let local = self.local(span);
        self.enter(&local, &x.label);
        self.block(&mut x.body);
        self.loops.pop();
        let (label, body) = (&x.label, &x.body);
        *e = parse(quote_spanned! {span=> {
            let mut #local = evenweave_lang::rt::endless();
            #label while let ::core::option::Option::Some(()) = #local.next() #body
        } });
    }

    pub(super) fn leave_loop(&mut self, e: &mut Expr) {
        let (span, label, word, method): (Span, Option<Lifetime>, Expr, &str) = match e {
            Expr::Break(x) => {
                if let Some(value) = &x.expr {
                    self.errors.push(Error::new(
                        value.span(),
                        "`break` with a value is not supported: set a register before it",
                    ));
                    return;
                }
                (x.break_token.span, x.label.clone(), e.clone(), "leave")
            }
            Expr::Continue(x) => (x.continue_token.span, x.label.clone(), e.clone(), "again"),
            _ => return,
        };
        let target = match &label {
            None => self.loops.last(),
            Some(label) => self.loops.iter().rev().find(|l| l.label.as_ref() == Some(&label.ident)),
        };
        let Some(target) = target.filter(|t| t.closures == self.closures) else {
            self.error(&*e, "there is no loop to leave here");
            return;
        };
        let (local, method) = (&target.local, Ident::new(method, span));
        *e = parse(quote_spanned! {span=> if #local.#method() { #word } });
    }

    pub(super) fn return_expr(&mut self, e: &mut Expr) {
        let Expr::Return(x) = e else { return };
        let span = x.return_token.span;
        self.returns = true;
        if self.closures > 0 {
            self.error(
                &*x,
                "`return` in a closure is not supported: let its last expression be the value",
            );
            return;
        }
        if let Some(value) = &mut x.expr {
            self.expr(value);
        }
        *e = match (&self.leave, &x.expr) {
            (Leave::Kernel, None) => {
                parse(quote_spanned! {span=> evenweave_lang::rt::end_thread() })
            }
            (Leave::Kernel, Some(value)) => {
                let error = Error::new(
                    value.span(),
                    "a kernel returns nothing: write to an output, then `return;`",
                );
                self.errors.push(error);
                return;
            }
            (Leave::Device(body), None) => parse(quote_spanned! {span=> #body.leave(()) }),
            (Leave::Device(body), Some(value)) => {
                parse(quote_spanned! {span=> #body.leave(#value) })
            }
        };
    }

    pub(super) fn match_expr(&mut self, e: &mut Expr) {
        let Expr::Match(x) = e else { return };
        self.expr(&mut x.expr);
        let span = x.match_token.span;
        for arm in &mut x.arms {
            self.scopes.open();
            self.declare(&arm.pat);
            if let Some((_, guard)) = &mut arm.guard {
                self.expr(guard);
            }
            self.expr(&mut arm.body);
            self.scopes.close();
        }
        if is_place(&x.expr) {
            let value = &x.expr;
            *e = parse(quote_spanned! {span=> {
                #[allow(unused_imports)]
                use evenweave_lang::rt::ProbeAny as _;
                evenweave_lang::rt::Probe(&#value).comptime_only();
                #x
            } });
        }
    }

    pub(super) fn closure(&mut self, x: &mut syn::ExprClosure) {
        if x.asyncness.is_some() {
            self.error(&*x, "`async` is not supported");
            return;
        }
        self.scopes.open();
        self.closures += 1;
        for input in &x.inputs {
            self.declare(input);
        }
        self.expr(&mut x.body);
        self.closures -= 1;
        self.scopes.close();
    }
}

/// A path or a field of one: evaluating it twice changes nothing.
fn is_place(e: &Expr) -> bool {
    match e {
        Expr::Path(_) => true,
        Expr::Field(x) => is_place(&x.base),
        Expr::Paren(x) => is_place(&x.expr),
        _ => false,
    }
}
fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(x) => has_let(&x.left) || has_let(&x.right),
        Expr::Paren(x) => has_let(&x.expr),
        _ => false,
    }
}
