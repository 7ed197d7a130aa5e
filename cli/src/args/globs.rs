//! Names and globs, by which codecs and datasets are chosen.

use globset::{GlobBuilder, GlobMatcher};

use crate::error::Error;

/// A list of names and globs.
#[derive(Debug)]
pub struct Globs(Vec<(String, GlobMatcher)>);

impl Globs {
    /// Compiles the patterns. `*` also matches a slash, so `zerialize*` takes all its variants.
    pub fn new(patterns: &[String]) -> Result<Self, Error> {
        let compile = |pattern: &String| {
            GlobBuilder::new(pattern)
                .build()
                .map(|glob| (pattern.clone(), glob.compile_matcher()))
                .map_err(|error| Error::usage(format!("bad pattern {pattern:?}: {}", error.kind())))
        };
        Ok(Self(
            patterns.iter().map(compile).collect::<Result<_, _>>()?,
        ))
    }

    /// Whether `name` matches a pattern; no pattern at all lets everything pass.
    pub fn pass(&self, name: &str) -> bool {
        self.0.is_empty() || self.matches(name)
    }

    /// Whether `name` matches a pattern.
    fn matches(&self, name: &str) -> bool {
        self.0.iter().any(|(_, glob)| glob.is_match(name))
    }

    /// The first pattern that matches none of `names`.
    pub fn first_without_match<'a>(
        &self,
        names: impl Iterator<Item = &'a str> + Clone,
    ) -> Option<&str> {
        self.0
            .iter()
            .find(|(_, glob)| !names.clone().any(|name| glob.is_match(name)))
            .map(|(pattern, _)| pattern.as_str())
    }
}

/// ", did you mean a or b?" with the names nearest to `wanted`, or nothing when none is near.
pub fn did_you_mean<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> String {
    let mut near = known
        .map(|name| (strsim::jaro_winkler(wanted, name), name))
        .filter(|(likeness, _)| *likeness > 0.7)
        .collect::<Vec<_>>();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.truncate(3);
    let names = near.iter().map(|(_, name)| *name).collect::<Vec<_>>();
    if names.is_empty() {
        String::new()
    } else {
        format!(", did you mean {}?", names.join(" or "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(patterns: &[&str]) -> Globs {
        let patterns = patterns.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
        Globs::new(&patterns).unwrap()
    }

    #[test]
    fn names_and_globs() {
        assert!(globs(&[]).pass("anything"));
        let some = globs(&["postcard", "serde_*"]);
        assert!(some.pass("postcard"));
        assert!(some.pass("serde_json/pretty"));
        assert!(!some.pass("postcard2"));
        assert_eq!(
            some.first_without_match(["postcard"].into_iter()),
            Some("serde_*")
        );
        assert!(Globs::new(&["[".to_owned()]).is_err());
    }

    #[test]
    fn nearest_names() {
        let known = ["game_level", "game_level_dynamic", "messages"];
        assert_eq!(
            did_you_mean("game_levle", known.into_iter()),
            ", did you mean game_level or game_level_dynamic?"
        );
        assert_eq!(did_you_mean("xyz", known.into_iter()), "");
    }
}
