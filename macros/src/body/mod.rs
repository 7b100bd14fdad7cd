//! Rewrites a body: statements and expressions.
//!
//! Invariants
//! - Each rewritten expression keeps the span of the author's token.
//! - A generated local is named `__ew_` and a number, unique in the function.

mod control;
mod macros;
mod memory;

use crate::{
    scope::{Kind, Scopes},
    unsupported,
};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::{Block, Error, Expr, ExprBlock, Ident, Pat, Stmt, spanned::Spanned, visit_mut::VisitMut};

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

    /// Refuses attributes that would mean something: rewriting would lose them.
    pub(crate) fn check_attributes(&mut self, block: &Block) {
        struct Attributes<'a>(&'a mut Vec<Error>);
        impl VisitMut for Attributes<'_> {
            fn visit_attribute_mut(&mut self, attribute: &mut syn::Attribute) {
                const HARMLESS: [&str; 6] = ["allow", "expect", "warn", "deny", "doc", "rustfmt"];
                let word = attribute.path().segments.first().map(|s| s.ident.to_string());
                if !word.is_some_and(|word| HARMLESS.contains(&word.as_str())) {
                    self.0.push(Error::new_spanned(
                        attribute.path(),
                        "an attribute inside a kernel's body is not supported: choose with a comptime `if`",
                    ));
                }
            }
        }
        Attributes(&mut self.errors).visit_block_mut(&mut block.clone());
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
        let closure = matches!(&*init.expr, Expr::Closure(_));
        if closure && let Pat::Ident(pat) = &mut local.pat {
            // A closure that sets registers only copies them: Rust's `mut` is not needed, and no register.
            pat.mutability = None;
        }
        if closure || names.0.iter().all(|(_, mutable)| mutable.is_none()) {
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
            Expr::Match(_) => self.match_expr(e),
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
}

/// The name that a shared or private array gets in the IR: that of the `let` that declares it.
fn named_array<'a>(pat: &'a Pat, value: &Expr) -> Option<&'a Ident> {
    let (Pat::Ident(pat), Expr::Call(call)) = (pat, value) else { return None };
    let Expr::Path(function) = &*call.func else { return None };
    let word = &function.path.segments.last()?.ident;
    (pat.mutability.is_none() && (word == "shared" || word == "private")).then_some(&pat.ident)
}
fn simple_name(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Path(p) if p.qself.is_none() => p.path.get_ident(),
        Expr::Paren(p) => simple_name(&p.expr),
        _ => None,
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
