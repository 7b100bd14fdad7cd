//! `#[device]`: helpers.

use crate::body::{Body, Leave};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{
    Block, Error, FnArg, Ident, ImplItem, Item, Pat, ReturnType, Signature, TraitItem,
    spanned::Spanned,
};

/// What the attribute says.
struct Options {
    at_caller: bool,
}

fn options(attribute: TokenStream) -> syn::Result<Options> {
    if attribute.is_empty() {
        return Ok(Options { at_caller: false });
    }
    let word: Ident = syn::parse2(attribute.clone())
        .map_err(|_| Error::new(attribute.span(), "#[device] takes nothing, or `at_caller`"))?;
    if word != "at_caller" {
        return Err(Error::new(word.span(), "#[device] takes nothing, or `at_caller`"));
    }
    Ok(Options { at_caller: true })
}

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let options = options(attribute)?;
    let lints = quote! { #[allow(unused_braces, unused_parens, clippy::all)] };
    // A free function or one of an `impl`, of any visibility.
    if let Ok(mut f) = syn::parse2::<syn::ImplItemFn>(item.clone()) {
        function(&options, &mut f.attrs, &mut f.sig, &mut f.block)?;
        return Ok(quote! { #lints #f });
    }
    // One of a `trait`, with or without a body.
    if let Ok(mut f) = syn::parse2::<syn::TraitItemFn>(item.clone()) {
        if let Some(block) = &mut f.default {
            function(&options, &mut f.attrs, &mut f.sig, block)?;
        }
        return Ok(quote! { #lints #f });
    }
    match syn::parse2::<Item>(item)? {
        Item::Impl(mut x) => {
            for item in &mut x.items {
                if let ImplItem::Fn(f) = item {
                    function(&options, &mut f.attrs, &mut f.sig, &mut f.block)?;
                }
            }
            Ok(quote! { #lints #x })
        }
        Item::Trait(mut x) => {
            for item in &mut x.items {
                if let TraitItem::Fn(f) = item
                    && let Some(block) = &mut f.default
                {
                    function(&options, &mut f.attrs, &mut f.sig, block)?;
                }
            }
            Ok(quote! { #lints #x })
        }
        other => {
            Err(Error::new(other.span(), "#[device] stands on a function, an `impl` or a `trait`"))
        }
    }
}

fn function(
    options: &Options,
    attrs: &mut Vec<syn::Attribute>,
    sig: &mut Signature,
    block: &mut Block,
) -> syn::Result<()> {
    for (token, word) in [
        (sig.asyncness.map(|t| t.span), "async"),
        (sig.unsafety.map(|t| t.span), "unsafe"),
        (sig.constness.map(|t| t.span), "const"),
    ] {
        if let Some(span) = token {
            return Err(Error::new(span, format!("a #[device] function is not `{word}`")));
        }
    }
    let span = sig.ident.span();
    let local = Ident::new("__ew_body", span);
    let mut body = Body::new(Leave::Device(local.clone()));
    let mut registers = TokenStream::new();
    for input in &mut sig.inputs {
        let FnArg::Typed(arg) = input else { continue };
        match &mut *arg.pat {
            Pat::Ident(p) if p.mutability.is_some() => {
                p.mutability = None;
                let name = &p.ident;
                let text = name.to_string();
                registers.extend(quote_spanned! {name.span()=> let #name = evenweave_lang::rt::Reg::init(#text, #name); });
                body.declare_register(name);
            }
            pat => body.declare(pat),
        }
    }
    body.check_attributes(block);
    body.block(block);
    let returns = body.returns;
    body.finish()?;
    let pin = options.at_caller.then(|| {
        attrs.push(syn::parse_quote! { #[track_caller] });
        quote_spanned! {span=> let __ew_pin = evenweave_lang::rt::pin(); }
    });
    if returns {
        let result = match &sig.output {
            ReturnType::Default => quote! { () },
            ReturnType::Type(_, ty) => ty.to_token_stream(),
        };
        let inner = &*block;
        *block = syn::parse2(quote_spanned! {span=> {
            #pin
            #registers
            let #local = evenweave_lang::rt::body::<#result>();
            let __ew_result: #result = #inner;
            #local.end(__ew_result)
        } })?;
    } else if pin.is_some() || !registers.is_empty() {
        let inner = &*block;
        *block = syn::parse2(quote_spanned! {span=> { #pin #registers #inner } })?;
    }
    Ok(())
}
