//! `#[schema(…)]`.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, LitStr, Result};

use super::names::{CASES, Case};

/// What an item, a variant or a field may be attributed with. Each place allows some of it.
#[derive(Default)]
pub struct Attributes {
    pub rename: Option<LitStr>,
    pub rename_all: Option<Case>,
    pub tag: Option<LitStr>,
    pub default: Option<Expr>,
    pub skip_default: Option<syn::Path>,
}

/// Reads the attributes of a place which allows those named in `allowed`.
pub fn read(attributes: &[Attribute], place: &str, allowed: &[&str]) -> Result<Attributes> {
    let mut found = Attributes::default();
    for attribute in attributes {
        if attribute.path().is_ident("doc") {
            continue;
        }
        if !attribute.path().is_ident("schema") {
            let message = "only #[schema(…)] and doc comments are known here";
            return Err(syn::Error::new_spanned(attribute, message));
        }
        attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string);
            match name.filter(|name| allowed.contains(&name.as_str())) {
                Some(name) => found.take(&name, &meta),
                None => Err(meta.error(unknown(place, allowed))),
            }
        })?;
    }
    Ok(found)
}

fn unknown(place: &str, allowed: &[&str]) -> String {
    match allowed {
        [] => format!("{place} has no attributes"),
        _ => format!("the attributes of {place} are: {}", allowed.join(", ")),
    }
}

impl Attributes {
    fn take(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let again = match name {
            "rename" => self.rename.replace(name_literal(meta)?).is_some(),
            "rename_all" => self.rename_all.replace(case(meta)?).is_some(),
            "tag" => self.tag.replace(name_literal(meta)?).is_some(),
            "default" => self.default.replace(meta.value()?.parse()?).is_some(),
            _ => self.skip_default.replace(meta.path.clone()).is_some(),
        };
        match again {
            true => Err(meta.error(format!("`{name}` is given twice"))),
            false => Ok(()),
        }
    }
}

fn name_literal(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    let literal: LitStr = meta.value()?.parse()?;
    match literal.value().is_empty() {
        true => Err(syn::Error::new_spanned(literal, "a name cannot be empty")),
        false => Ok(literal),
    }
}

fn case(meta: &ParseNestedMeta<'_>) -> Result<Case> {
    let literal: LitStr = meta.value()?.parse()?;
    let wanted = literal.value();
    let found = CASES.iter().find(|(name, _)| *name == wanted);
    found.map(|(_, case)| *case).ok_or_else(|| {
        let known = CASES.map(|(name, _)| name).join(", ");
        syn::Error::new_spanned(&literal, format!("the rules of rename_all are: {known}"))
    })
}
