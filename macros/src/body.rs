//! Rewrites a body: statements and expressions.
//!
//! Invariants
//! - Each rewritten expression keeps the span of the author's token.
//! - A generated local is named `__ew_` and a number, unique in the function.

use crate::{
    scope::{Kind, Scopes},
    unsupported,
};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::{
    BinOp, Block, Error, Expr, ExprBlock, Ident, Label, Lifetime, Pat, RangeLimits, Stmt,
    spanned::Spanned, visit_mut::VisitMut,
};

/// Where `return` goes.
#[derive(Clone, Debug)]
pub(crate) enum Leave {
    /// It ends the thread.
    Kernel,
    /// It leaves the helper whose `Body` this local is.
    Device(Ident),
}

/// A loop that `break` and `continue` may name.
struct Loop {
    local: Ident,
    label: Option<Ident>,
    /// Closures cannot leave a loop around them.
    closures: usize,
}

/// The rewriter of one function.
pub(crate) struct Body {
    pub(crate) errors: Vec<Error>,
    scopes: Scopes,
    loops: Vec<Loop>,
    leave: Leave,
    closures: usize,
    locals: usize,
    /// Whether a `return` was met.
    pub(crate) returns: bool,
}

impl Body {
    pub(crate) fn new(leave: Leave) -> Body {
        Body {
            errors: Vec::new(),
            scopes: Scopes::new(),
            loops: Vec::new(),
            leave,
            closures: 0,
            locals: 0,
            returns: false,
        }
    }

    fn local(&mut self, span: Span) -> Ident {
        self.locals += 1;
        format_ident!("__ew_{}", self.locals, span = span)
    }

    pub(crate) fn error(&mut self, at: impl Spanned, text: &str) {
        self.errors.push(Error::new(at.span(), text));
    }

    /// The errors as one.
    pub(crate) fn finish(self) -> syn::Result<()> {
        match self.errors.into_iter().reduce(|mut a, b| {
            a.combine(b);
            a
        }) {
            Some(e) => Err(e),
            None => Ok(()),
        }
    }

    /// Declares the names of a parameter's or loop's pattern.
    pub(crate) fn declare(&mut self, pat: &Pat) {
        let mut names = Names::default();
        names.visit(pat);
        for (name, mutable) in names.0 {
            if let Some(span) = mutable {
                self.errors.push(Error::new(
                    span,
                    "only `let mut` makes a register: bind it again with `let mut` inside",
                ));
            }
            self.scopes.declare(name, Kind::Plain);
        }
    }

    /// Declares a register that generated code introduces.
    pub(crate) fn declare_register(&mut self, name: &Ident) {
        self.scopes.declare(name.to_string(), Kind::Register);
    }

    pub(crate) fn block(&mut self, block: &mut Block) {
        self.scopes.open();
        let stmts = std::mem::take(&mut block.stmts);
        for stmt in stmts {
            block.stmts.extend(self.stmt(stmt));
        }
        self.scopes.close();
    }

    fn stmt(&mut self, stmt: Stmt) -> Vec<Stmt> {
        match stmt {
            Stmt::Local(local) => self.local_stmt(local),
            Stmt::Expr(mut e, semi) => {
                self.expr(&mut e);
                vec![Stmt::Expr(e, semi)]
            }
            Stmt::Macro(m) => {
                let mut e = Expr::Macro(syn::ExprMacro { attrs: m.attrs, mac: m.mac });
                self.expr(&mut e);
                vec![Stmt::Expr(e, m.semi_token.or_else(|| Some(Default::default())))]
            }
            Stmt::Item(item) => {
                self.item(&item);
                vec![Stmt::Item(item)]
            }
        }
    }

    fn item(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Const(c) => self.scopes.declare(c.ident.to_string(), Kind::Plain),
            syn::Item::Use(_) | syn::Item::Struct(_) | syn::Item::Enum(_) | syn::Item::Type(_) => {}
            other => self.error(other, "this item cannot stand in a kernel's body: move it out (a helper is a #[device] function)"),
        }
    }

    fn local_stmt(&mut self, mut local: syn::Local) -> Vec<Stmt> {
        let span = local.let_token.span;
        let Some(init) = &mut local.init else {
            let mut names = Names::default();
            names.visit(&local.pat);
            for (name, mutable) in names.0 {
                let kind = if mutable.is_some() { Kind::Register } else { Kind::Plain };
                self.scopes.declare(name, kind);
            }
            self.error(&local, "a binding needs its value here: `let mut sum = 0.0f32;`");
            return vec![];
        };
        if let Some((token, _)) = &init.diverge {
            let span = token.span;
            self.errors.push(Error::new(
                span,
                "`let ... else` is not supported: use `match` or `if let` on the comptime value",
            ));
            return vec![];
        }
        let array = named_array(&local.pat, &init.expr);
        self.expr(&mut init.expr);
        if let Some(name) = array {
            let (value, text) = (&init.expr, name.to_string());
            *init.expr = parse(
                quote_spanned! {name.span()=> { let __ew_naming = evenweave_lang::rt::naming(#text); #value } },
            );
        }
        let mut names = Names::default();
        names.visit(&local.pat);
        if names.0.iter().all(|(_, mutable)| mutable.is_none()) {
            for (name, _) in names.0 {
                self.scopes.declare(name, Kind::Plain);
            }
            return vec![Stmt::Local(local)];
        }
        let value = &init.expr;
        match &local.pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                let statement = self.register(&p.ident, None, value, span);
                vec![statement]
            }
            Pat::Type(t) => match &*t.pat {
                Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                    let statement = self.register(&p.ident, Some(&t.ty), value, span);
                    vec![statement]
                }
                other => {
                    self.error(
                        other,
                        "a pattern with `mut` takes no type here: give the types in the value",
                    );
                    vec![]
                }
            },
            Pat::Tuple(_) => self.registers_of_tuple(local, span),
            other => {
                self.error(other, "`mut` works for a name or in a tuple of names");
                vec![]
            }
        }
    }

    /// `let mut name: ty = value`.
    fn register(&mut self, name: &Ident, ty: Option<&syn::Type>, value: &Expr, span: Span) -> Stmt {
        let text = name.to_string();
        let array = matches!(value, Expr::Array(_) | Expr::Repeat(_));
        self.scopes.declare(text.clone(), if array { Kind::Registers } else { Kind::Register });
        if array {
            return match ty {
                Some(ty) => parse(quote_spanned! {span=>
                    let #name = evenweave_lang::rt::registers_of::<<#ty as evenweave_lang::rt::IntoCell>::Cell, _>(#text, #value);
                }),
                None => parse(quote_spanned! {span=>
                    let #name = evenweave_lang::rt::registers(#text, #value);
                }),
            };
        }
        match ty {
            Some(ty) => parse(quote_spanned! {span=>
                let #name = evenweave_lang::rt::Reg::<<#ty as evenweave_lang::rt::RegType>::Dtype>::init(#text, #value);
            }),
            None => parse(
                quote_spanned! {span=> let #name = evenweave_lang::rt::Reg::init(#text, #value); },
            ),
        }
    }

    /// `let (mut a, b) = value`: binds, then makes registers of the `mut` ones.
    fn registers_of_tuple(&mut self, mut local: syn::Local, span: Span) -> Vec<Stmt> {
        let Pat::Tuple(tuple) = &mut local.pat else { return vec![] };
        let mut registers = Vec::new();
        for pat in &mut tuple.elems {
            match pat {
                Pat::Ident(p)
                    if p.mutability.is_some() && p.by_ref.is_none() && p.subpat.is_none() =>
                {
                    let name = p.ident.clone();
                    let value = self.local(name.span());
                    p.mutability = None;
                    p.ident = value.clone();
                    registers.push((name, value));
                }
                other => {
                    let mut names = Names::default();
                    names.visit(other);
                    for (name, mutable) in names.0 {
                        if let Some(span) = mutable {
                            self.errors.push(Error::new(
                                span,
                                "`mut` works for a name or in a tuple of names",
                            ));
                        }
                        self.scopes.declare(name, Kind::Plain);
                    }
                }
            }
        }
        let mut statements = vec![Stmt::Local(local)];
        for (name, value) in registers {
            let value = parse::<Expr>(quote_spanned! {span=> #value });
            statements.push(self.register(&name, None, &value, span));
        }
        statements
    }

    fn exprs<'a>(&mut self, exprs: impl IntoIterator<Item = &'a mut Expr>) {
        for e in exprs {
            self.expr(e);
        }
    }

    /// Rewrites an expression in place.
    pub(crate) fn expr(&mut self, e: &mut Expr) {
        match e {
            Expr::Lit(_) | Expr::Infer(_) => {}
            Expr::Path(_) => self.read(e),
            Expr::Paren(x) => self.expr(&mut x.expr),
            Expr::Group(x) => self.expr(&mut x.expr),
            Expr::Array(x) => self.exprs(&mut x.elems),
            Expr::Tuple(x) => self.exprs(&mut x.elems),
            Expr::Repeat(x) => self.expr(&mut x.expr),
            Expr::Call(x) => {
                self.expr(&mut x.func);
                self.exprs(&mut x.args);
            }
            Expr::MethodCall(x) => {
                self.expr(&mut x.receiver);
                self.exprs(&mut x.args);
            }
            Expr::Field(x) => self.expr(&mut x.base),
            Expr::Unary(x) => self.expr(&mut x.expr),
            Expr::Range(x) => {
                self.exprs(x.start.as_deref_mut().into_iter().chain(x.end.as_deref_mut()))
            }
            Expr::Struct(x) => {
                for field in &mut x.fields {
                    if field.colon_token.is_none() {
                        field.colon_token = Some(syn::Token![:](field.span()));
                    }
                    self.expr(&mut field.expr);
                }
                if let Some(rest) = &mut x.rest {
                    self.expr(rest);
                }
            }
            Expr::Reference(x) => self.reference(x),
            Expr::Block(x) => self.block_expr(x),
            Expr::Binary(_) => self.binary(e),
            Expr::Cast(_) => self.cast(e),
            Expr::Index(_) => self.index(e),
            Expr::Assign(_) => self.assign(e),
            Expr::If(_) => self.if_expr(e),
            Expr::ForLoop(_) => self.for_loop(e),
            Expr::While(_) => self.while_loop(e),
            Expr::Loop(_) => self.endless_loop(e),
            Expr::Break(_) | Expr::Continue(_) => self.leave_loop(e),
            Expr::Return(_) => self.return_expr(e),
            Expr::Match(x) => self.match_expr(x),
            Expr::Let(x) => self.expr(&mut x.expr),
            Expr::Closure(x) => self.closure(x),
            Expr::Macro(_) => self.macro_call(e),
            other => {
                let text = unsupported::words(other);
                self.error(&*other, text);
            }
        }
    }

    fn kind_of(&self, e: &Expr) -> Kind {
        simple_name(e).map_or(Kind::Plain, |name| self.scopes.kind(&name.to_string()))
    }

    /// A name: a register is read.
    fn read(&mut self, e: &mut Expr) {
        if self.kind_of(e) != Kind::Plain {
            let span = e.span();
            *e = parse(quote_spanned! {span=> #e.get() });
        }
    }

    fn reference(&mut self, x: &mut syn::ExprReference) {
        if x.mutability.is_some() && self.kind_of(&x.expr) != Kind::Plain {
            self.error(&*x, "a register cannot be borrowed: let the helper return the new value (`x = helper(x)`)");
            return;
        }
        self.expr(&mut x.expr);
    }

    fn block_expr(&mut self, x: &mut ExprBlock) {
        if let Some(label) = &x.label {
            self.error(
                label,
                "a labelled block is not supported: use a `#[device]` function with `return`",
            );
        }
        self.block(&mut x.block);
    }

    fn binary(&mut self, e: &mut Expr) {
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

    fn cast(&mut self, e: &mut Expr) {
        let Expr::Cast(x) = e else { return };
        self.expr(&mut x.expr);
        let (value, ty, span) = (&x.expr, &x.ty, x.as_token.span);
        *e = parse(quote_spanned! {span=> evenweave_lang::rt::cast::<#ty, _>(#value) });
    }

    /// The memory and index of `x[i]`; an array of indices becomes a tuple, whose parts may differ in type.
    fn place(&mut self, x: &mut syn::ExprIndex) -> (TokenStream, Expr) {
        let span = x.bracket_token.span.join();
        if let Expr::Array(indices) = &*x.index {
            let elems = &indices.elems;
            x.index = Box::new(if elems.is_empty() || elems.trailing_punct() {
                parse(quote_spanned! {span=> (#elems) })
            } else {
                parse(quote_spanned! {span=> (#elems,) })
            });
        }
        self.expr(&mut x.index);
        let index = (*x.index).clone();
        (self.memory(&mut x.expr), index)
    }

    /// The memory of an index: an array of registers is named, not read.
    fn memory(&mut self, e: &mut Expr) -> TokenStream {
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

    fn is_registers(&self, x: &syn::ExprIndex) -> bool {
        match &*x.expr {
            Expr::Index(inner) => self.is_registers(inner),
            e => self.kind_of(e) == Kind::Registers,
        }
    }

    fn index(&mut self, e: &mut Expr) {
        let Expr::Index(x) = e else { return };
        let span = x.expr.span();
        let (memory, index) = self.place(x);
        *e = parse(quote_spanned! {span=> evenweave_lang::rt::load(&#memory, #index) });
    }

    fn assign(&mut self, e: &mut Expr) {
        let Expr::Assign(x) = e else { return };
        let span = x.left.span();
        self.expr(&mut x.right);
        let right = (*x.right).clone();
        let left = (*x.left).clone();
        *e = self.write(left, right, span);
    }

    /// `left = right`.
    fn write(&mut self, mut left: Expr, right: Expr, span: Span) -> Expr {
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
    fn update(&mut self, mut left: Expr, op: TokenStream, right: Expr, span: Span) -> Expr {
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

    fn if_expr(&mut self, e: &mut Expr) {
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
    fn let_condition(&mut self, e: &mut Expr) {
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

    fn enter(&mut self, local: &Ident, label: &Option<Label>) {
        self.loops.push(Loop {
            local: local.clone(),
            label: label.as_ref().map(|l| l.name.ident.clone()),
            closures: self.closures,
        });
    }

    fn for_loop(&mut self, e: &mut Expr) {
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
    fn range(&mut self, e: &Expr) -> Option<TokenStream> {
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

    fn while_loop(&mut self, e: &mut Expr) {
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

    fn endless_loop(&mut self, e: &mut Expr) {
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

    fn leave_loop(&mut self, e: &mut Expr) {
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

    fn return_expr(&mut self, e: &mut Expr) {
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

    fn match_expr(&mut self, x: &mut syn::ExprMatch) {
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
            let value = (*x.expr).clone();
            *x.expr = parse(quote_spanned! {span=> *{
                #[allow(unused_imports)]
                use evenweave_lang::rt::ProbeAny as _;
                evenweave_lang::rt::Probe(&#value).comptime_only();
                &#value
            } });
        }
    }

    fn closure(&mut self, x: &mut syn::ExprClosure) {
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

    fn macro_call(&mut self, e: &mut Expr) {
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
    fn comptime_macro(&mut self, e: &mut Expr) {
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

/// The name that a shared or private array gets in the IR: that of the `let` that declares it.
fn named_array<'a>(pat: &'a Pat, value: &Expr) -> Option<&'a Ident> {
    let (Pat::Ident(pat), Expr::Call(call)) = (pat, value) else { return None };
    let Expr::Path(function) = &*call.func else { return None };
    let word = &function.path.segments.last()?.ident;
    (pat.mutability.is_none() && (word == "shared" || word == "private")).then_some(&pat.ident)
}

fn text_of(e: &Expr) -> Option<String> {
    match e {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. }) => Some(s.value()),
        _ => None,
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

fn simple_name(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Path(p) if p.qself.is_none() => p.path.get_ident(),
        Expr::Paren(p) => simple_name(&p.expr),
        _ => None,
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

/// The names that a pattern binds, each with the span of its `mut`.
#[derive(Default)]
struct Names(Vec<(String, Option<Span>)>);

impl Names {
    fn visit(&mut self, pat: &Pat) {
        self.visit_pat_mut(&mut pat.clone());
    }
}

impl VisitMut for Names {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        self.0.push((p.ident.to_string(), p.mutability.map(|m| m.span)));
        syn::visit_mut::visit_pat_ident_mut(self, p);
    }
}

/// Generated code as syntax. What is generated parses.
fn parse<T: syn::parse::Parse>(tokens: TokenStream) -> T {
    let text = tokens.to_string();
    match syn::parse2(tokens) {
        Ok(syntax) => syntax,
        Err(e) => panic!("generated code does not parse ({e}): {text}"),
    }
}
