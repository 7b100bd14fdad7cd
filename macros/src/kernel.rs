//! `#[kernel]`: the signature becomes declarations, the body is rewritten.

use crate::body::{Body, Leave};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{
    Attribute, Error, Expr, FnArg, GenericParam, Ident, ItemFn, Pat, ReturnType, Token, Type,
    TypeParamBound, parse::Parse, parse::ParseStream, punctuated::Punctuated, spanned::Spanned,
    visit_mut::VisitMut,
};

/// `group = ..., grid = ..., name = ...`.
#[derive(Default)]
struct Options {
    group: Option<Expr>,
    grid: Option<Expr>,
    name: Option<Expr>,
}

impl Parse for Options {
    fn parse(input: ParseStream) -> syn::Result<Options> {
        let mut options = Options::default();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            let place = match key.to_string().as_str() {
                "group" => &mut options.group,
                "grid" => &mut options.grid,
                "name" => &mut options.name,
                other => {
                    let text =
                        format!("#[kernel] has no `{other}`: it takes `group`, `grid` and `name`");
                    return Err(Error::new(key.span(), text));
                }
            };
            if place.is_some() {
                return Err(Error::new(key.span(), format!("`{key}` is given twice")));
            }
            input.parse::<Token![=]>()?;
            *place = Some(input.parse()?);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

/// A parameter of the author's signature.
enum Param {
    /// `#[comptime] d: u32`.
    Comptime { name: Ident, arg: FnArg },
    /// `n: u32`.
    Scalar { name: Ident, ty: Type },
    /// `#[len(n)] x: &In<T>`, or a view with `#[shape(a, b)]`.
    Memory { name: Ident, ty: syn::TypeReference, lens: Vec<Expr>, view: bool },
}

const BUFFERS: [&str; 3] = ["In", "Out", "InOut"];
const VIEWS: [&str; 3] = ["InView", "OutView", "InOutView"];

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let options: Options = syn::parse2(attribute)?;
    let function: ItemFn = syn::parse2(item)?;
    check_signature(&function)?;
    let span = function.sig.ident.span();
    let missing = |what: &str, example: &str| {
        Error::new(
            span,
            format!(
                "the kernel has no `{what}`: add it to the attribute, as in #[kernel({example})]"
            ),
        )
    };
    let group =
        options.group.ok_or_else(|| missing("group", "group = 256, grid = n.div_ceil(256)"))?;
    let mut grid =
        options.grid.ok_or_else(|| missing("grid", "group = 256, grid = n.div_ceil(256)"))?;
    let mut params = params(&function)?;
    let mut places = Places::of(&params);
    places.visit_expr_mut(&mut grid);
    for param in &mut params {
        if let Param::Memory { lens, .. } = param {
            lens.iter_mut().for_each(|len| places.visit_expr_mut(len));
        }
    }
    write(function, &params, &group, &grid, options.name, &places.used)
}

fn check_signature(function: &ItemFn) -> syn::Result<()> {
    let sig = &function.sig;
    for (token, word) in [
        (sig.asyncness.map(|t| t.span), "async"),
        (sig.unsafety.map(|t| t.span), "unsafe"),
        (sig.constness.map(|t| t.span), "const"),
    ] {
        if let Some(span) = token {
            return Err(Error::new(span, format!("a kernel is not `{word}`")));
        }
    }
    match &sig.output {
        ReturnType::Default => Ok(()),
        ReturnType::Type(_, ty) => Err(Error::new(
            ty.span(),
            "a kernel returns nothing: add a `y: &mut Out<T>` and write to it",
        )),
    }
}

fn params(function: &ItemFn) -> syn::Result<Vec<Param>> {
    function.sig.inputs.iter().map(param).collect()
}

fn param(input: &FnArg) -> syn::Result<Param> {
    let FnArg::Typed(arg) = input else {
        return Err(Error::new(
            input.span(),
            "a kernel is a free function: give comptime values as `#[comptime]` parameters",
        ));
    };
    let Pat::Ident(pat) = &*arg.pat else {
        return Err(Error::new(arg.pat.span(), "a parameter of a kernel is a name"));
    };
    if let Some(token) = pat.mutability {
        return Err(Error::new(
            token.span,
            "a parameter of a kernel does not change: bind it again with `let mut` inside",
        ));
    }
    let name = pat.ident.clone();
    let marks = Marks::of(arg)?;
    if marks.comptime {
        if marks.len.is_some() || marks.shape.is_some() {
            return Err(Error::new(name.span(), "a comptime parameter has no length"));
        }
        let mut arg = arg.clone();
        arg.attrs.clear();
        return Ok(Param::Comptime { name, arg: FnArg::Typed(arg) });
    }
    memory_or_scalar(name, &arg.ty, marks)
}

/// The attributes of a parameter.
#[derive(Default)]
struct Marks {
    len: Option<Vec<Expr>>,
    shape: Option<Vec<Expr>>,
    comptime: bool,
}

impl Marks {
    fn of(arg: &syn::PatType) -> syn::Result<Marks> {
        let mut marks = Marks::default();
        for attribute in &arg.attrs {
            let twice = if attribute.path().is_ident("comptime") {
                attribute.meta.require_path_only()?;
                std::mem::replace(&mut marks.comptime, true)
            } else if attribute.path().is_ident("len") {
                marks.len.replace(expressions(attribute)?).is_some()
            } else if attribute.path().is_ident("shape") {
                marks.shape.replace(expressions(attribute)?).is_some()
            } else {
                return Err(Error::new(
                    attribute.span(),
                    "a parameter takes #[len(...)], #[shape(...)] or #[comptime]",
                ));
            };
            if twice {
                return Err(Error::new(attribute.span(), "this attribute is given twice"));
            }
        }
        Ok(marks)
    }
}

fn memory_or_scalar(name: Ident, ty: &Type, marks: Marks) -> syn::Result<Param> {
    let is = |words: &[&str], word: &str| words.contains(&word);
    match (ty, word(ty)) {
        (Type::Reference(ty), Some(word)) if is(&BUFFERS, &word) => {
            check_reference(ty, &word, word == "In")?;
            if marks.shape.is_some() {
                return Err(Error::new(
                    name.span(),
                    format!(
                        "`{name}` is a buffer: it takes #[len(...)], and a view takes #[shape(...)]"
                    ),
                ));
            }
            let lens = marks.len.ok_or_else(|| {
                let text = format!("`{name}` has no length: write `#[len(n)] {name}: ...`, the elements it must have");
                Error::new(name.span(), text)
            })?;
            if lens.len() != 1 {
                return Err(Error::new(name.span(), "#[len(...)] takes one expression"));
            }
            Ok(Param::Memory { name, ty: ty.clone(), lens, view: false })
        }
        (Type::Reference(ty), Some(word)) if is(&VIEWS, &word) => {
            check_reference(ty, &word, word == "InView")?;
            if marks.len.is_some() {
                return Err(Error::new(
                    name.span(),
                    format!(
                        "`{name}` is a view: it takes #[shape(...)], and a buffer takes #[len(...)]"
                    ),
                ));
            }
            let lens = marks.shape.ok_or_else(|| {
                let text = format!("`{name}` has no shape: write `#[shape(rows, columns)] {name}: ...`, its extent along each axis");
                Error::new(name.span(), text)
            })?;
            Ok(Param::Memory { name, ty: ty.clone(), lens, view: true })
        }
        (ty, Some(word)) if is(&BUFFERS, &word) || is(&VIEWS, &word) => {
            let wanted = if word == "In" || word == "InView" { "&" } else { "&mut " };
            Err(Error::new(
                ty.span(),
                format!("memory is a reference: write `{wanted}{word}<...>`"),
            ))
        }
        (Type::Reference(ty), _) => Err(Error::new(
            ty.span(),
            "a parameter is `&In<T>`, `&mut Out<T>`, `&mut InOut<T>`, a view of these, a scalar such as `n: u32`, or `#[comptime]`",
        )),
        (ty, _) if marks.len.is_some() || marks.shape.is_some() => {
            Err(Error::new(ty.span(), "a scalar has no length"))
        }
        (ty, _) => Ok(Param::Scalar { name, ty: ty.clone() }),
    }
}

fn expressions(attribute: &Attribute) -> syn::Result<Vec<Expr>> {
    let list = attribute.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
    Ok(list.into_iter().collect())
}

fn check_reference(ty: &syn::TypeReference, word: &str, read_only: bool) -> syn::Result<()> {
    match (read_only, ty.mutability) {
        (true, Some(token)) => {
            Err(Error::new(token.span, format!("`{word}` is only read: write `&{word}<...>`")))
        }
        (false, None) => {
            Err(Error::new(ty.span(), format!("`{word}` is written: write `&mut {word}<...>`")))
        }
        (true, None) | (false, Some(_)) => Ok(()),
    }
}

/// The last word of a type, through a reference: `In` of `&In<T>`.
fn word(ty: &Type) -> Option<String> {
    match ty {
        Type::Reference(r) => word(&r.elem),
        Type::Path(p) => p.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    }
}

/// Turns the names of run-time parameters in a length expression into what the launch gives.
struct Places {
    names: Vec<(Ident, TokenStream)>,
    /// Those met: a parameter that a length uses is used.
    used: Vec<Ident>,
}

impl Places {
    fn of(params: &[Param]) -> Places {
        let mut names = Vec::new();
        for param in params {
            let at = names.len();
            match param {
                Param::Comptime { .. } => {}
                Param::Scalar { name, ty } => {
                    names.push((
                        name.clone(),
                        quote! { evenweave_lang::rt::len_scalar::<#ty>(#at) },
                    ));
                }
                Param::Memory { name, .. } => {
                    names.push((name.clone(), quote! { evenweave_lang::rt::LenOf(#at) }));
                }
            }
        }
        Places { names, used: Vec::new() }
    }
}

impl VisitMut for Places {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Path(path) = e
            && path.qself.is_none()
            && let Some(name) = path.path.get_ident()
            && let Some((_, tokens)) = self.names.iter().find(|(n, _)| n == name)
        {
            self.used.push(name.clone());
            let tokens = respan(tokens, name.span());
            *e = Expr::Verbatim(tokens);
            return;
        }
        syn::visit_mut::visit_expr_mut(self, e);
    }
}

fn respan(tokens: &TokenStream, span: Span) -> TokenStream {
    tokens
        .clone()
        .into_iter()
        .map(|mut t| {
            if let proc_macro2::TokenTree::Group(g) = &t {
                let mut group = proc_macro2::Group::new(g.delimiter(), respan(&g.stream(), span));
                group.set_span(span);
                return group.into();
            }
            t.set_span(span);
            t
        })
        .collect()
}

fn write(
    mut function: ItemFn,
    params: &[Param],
    group: &Expr,
    grid: &Expr,
    name: Option<Expr>,
    used: &[Ident],
) -> syn::Result<TokenStream> {
    let mut body = Body::new(Leave::Kernel);
    let mut comptime: Punctuated<FnArg, Token![,]> = Punctuated::new();
    let (mut bound, mut told) = (TokenStream::new(), TokenStream::new());
    for param in params {
        match param {
            Param::Comptime { name, arg } => {
                let text = name.to_string();
                told.extend(quote! { __ew_name.argument(#text, (&evenweave_lang::rt::Text(&#name)).text()); });
                comptime.push(arg.clone());
            }
            Param::Scalar { name, ty } => {
                let text = name.to_string();
                // A scalar that only lengths or the grid name has its use there.
                bound.extend(quote_spanned! {ty.span()=>
                    #[allow(unused_variables)]
                    let #name = evenweave_lang::rt::scalar::<#ty>(#text);
                });
            }
            Param::Memory { name, ty, lens, view } => bound.extend(declare(name, ty, lens, *view)),
        }
    }
    let mut block = (*function.block).clone();
    body.check_attributes(&block);
    body.block(&mut block);
    body.finish()?;
    let types = name_types(&function, params);
    let base = match name {
        Some(e) => quote! { &::std::string::String::from(#e) },
        None => {
            let text = function.sig.ident.to_string();
            quote! { #text }
        }
    };
    let span = function.sig.ident.span();
    function.sig.inputs = comptime;
    function.sig.output = syn::parse_quote! {
        -> ::core::result::Result<evenweave_lang::ir::Kernel, evenweave_lang::StageError>
    };
    *function.block = syn::parse2(quote_spanned! {span=> {
        #[allow(unused_imports)]
        use evenweave_lang::rt::{Shown as _, Unshown as _};
        #[allow(unused_mut)]
        let mut __ew_name = evenweave_lang::rt::Name::new(#base);
        #types
        #told
        evenweave_lang::rt::kernel(__ew_name.finish(), move || {
            #bound
            evenweave_lang::rt::group(#group);
            evenweave_lang::rt::grid(#grid);
            #(let _ = &#used;)*
            #block
        })
    } })?;
    Ok(quote! {
        #[allow(unused_braces, unused_parens, clippy::all)]
        #function
    })
}

fn declare(name: &Ident, ty: &syn::TypeReference, lens: &[Expr], view: bool) -> TokenStream {
    let text = name.to_string();
    let (elem, and, mutability) = (&ty.elem, ty.and_token, ty.mutability);
    let span = ty.elem.span();
    let len = if view {
        quote_spanned! {span=> [#(evenweave_lang::rt::Len::from(#lens)),*] }
    } else {
        quote_spanned! {span=> #(#lens)* }
    };
    quote_spanned! {name.span()=> let #name = #and #mutability <#elem>::declare(#text, #len); }
}

/// What the generic parameters add to the kernel's name.
fn name_types(function: &ItemFn, params: &[Param]) -> TokenStream {
    const DTYPE_BOUNDS: [&str; 10] = [
        "Element",
        "Scalar",
        "Numeric",
        "Int",
        "Float",
        "Real",
        "Signed",
        "Bits",
        "Atomic",
        "Reinterpret",
    ];
    let mut tokens = TokenStream::new();
    for generic in &function.sig.generics.params {
        if let GenericParam::Const(c) = generic {
            let (name, text) = (&c.ident, c.ident.to_string());
            tokens.extend(
                quote! { __ew_name.argument(#text, (&evenweave_lang::rt::Text(&#name)).text()); },
            );
        }
        let GenericParam::Type(t) = generic else { continue };
        let name = &t.ident;
        let mut bounds: Vec<&TypeParamBound> = t.bounds.iter().collect();
        for predicate in function.sig.generics.where_clause.iter().flat_map(|w| &w.predicates) {
            if let syn::WherePredicate::Type(p) = predicate
                && matches!(&p.bounded_ty, Type::Path(path) if path.path.is_ident(name))
            {
                bounds.extend(&p.bounds);
            }
        }
        let by_bound = bounds.iter().any(|b| match b {
            TypeParamBound::Trait(t) => t
                .path
                .segments
                .last()
                .is_some_and(|s| DTYPE_BOUNDS.contains(&s.ident.to_string().as_str())),
            _ => false,
        });
        let by_use = params.iter().any(|p| match p {
            Param::Scalar { ty: Type::Path(path), .. } => path.path.is_ident(name),
            Param::Scalar { .. } | Param::Comptime { .. } | Param::Memory { .. } => false,
        });
        tokens.extend(if by_bound || by_use {
            quote! { __ew_name.dtype::<#name>(); }
        } else {
            quote! { __ew_name.other::<#name>(); }
        });
    }
    tokens
}
