//! One source of settings: a file, an environment variable. Unknown keys are found here, with the nearest known one.

use figment::value::{Dict, Map, Tag, Value};
use figment::{Metadata, Profile, Provider};

use super::ConfigError;

/// Settings of one origin.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    /// "config/fenwatch.toml", "environment variable FENWATCH_X".
    pub origin: String,
    pub dict: Dict,
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.origin.clone())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Map::from([(Profile::Default, self.dict.clone())]))
    }
}

impl Layer {
    /// The layer of a TOML text.
    pub fn of_toml(origin: String, text: &str) -> Result<Layer, ConfigError> {
        let table: Dict =
            toml_dict(text).map_err(|message| ConfigError::Syntax { origin: origin.clone(), message })?;
        Ok(Layer { origin, dict: table })
    }

    /// The layer of one environment variable; `known` are the defaults, which tell the type that is wanted.
    pub fn of_variable(name: &str, text: &str, known: &Dict) -> Layer {
        let key: Vec<String> =
            name.strip_prefix(PREFIX).unwrap_or(name).split("__").map(str::to_ascii_lowercase).collect();
        // parsing cannot fail: what is nothing else is a text
        let parsed: Value = text.parse().unwrap_or_else(|_| Value::from(text));
        let value = match (find(known, &key), parsed) {
            // a folder may be called 2024
            (Some(Value::String(..)), parsed) if !matches!(parsed, Value::String(..)) => Value::from(text),
            (_, parsed) => parsed,
        };
        let dict = key.iter().rev().fold(None, |inner, part| {
            let value = inner.map_or_else(|| value.clone(), |dict: Dict| Value::Dict(Tag::Default, dict));
            Some(Dict::from([(part.clone(), value)]))
        });
        Layer { origin: format!("environment variable {name}"), dict: dict.unwrap_or_default() }
    }

    /// Finds keys that `known` does not have.
    pub fn check_keys(&self, known: &Dict) -> Result<(), ConfigError> {
        let mut unknown = Vec::new();
        collect_unknown(&self.dict, known, &mut Vec::new(), &mut unknown);
        let Some(key) = unknown.into_iter().next() else { return Ok(()) };
        let nearest = nearest(&key, known);
        Err(ConfigError::UnknownKey { key: key.join("."), origin: self.origin.clone(), hint: nearest })
    }
}

pub(super) const PREFIX: &str = "FENWATCH_";

fn toml_dict(text: &str) -> Result<Dict, String> {
    use figment::providers::{Format, Toml};
    Toml::from_str(text).map_err(|error| error.to_string().trim().to_owned())
}

fn find<'a>(dict: &'a Dict, key: &[String]) -> Option<&'a Value> {
    let (first, rest) = key.split_first()?;
    let value = dict.get(first)?;
    if rest.is_empty() { Some(value) } else { find(value.as_dict()?, rest) }
}

fn collect_unknown(dict: &Dict, known: &Dict, path: &mut Vec<String>, out: &mut Vec<Vec<String>>) {
    for (name, value) in dict {
        path.push(name.clone());
        match (known.get(name), value) {
            (None, _) => out.push(path.clone()),
            (Some(Value::Dict(_, inner)), Value::Dict(_, dict)) => collect_unknown(dict, inner, path, out),
            // a wrong type is told when the values are taken
            _ => {}
        }
        path.pop();
    }
}

/// All keys with a value, dotted.
pub(super) fn leaves(dict: &Dict) -> Vec<String> {
    fn walk(dict: &Dict, path: &str, out: &mut Vec<String>) {
        for (name, value) in dict {
            let key = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            match value {
                Value::Dict(_, inner) => walk(inner, &key, out),
                _ => out.push(key),
            }
        }
    }
    let mut out = Vec::new();
    walk(dict, "", &mut out);
    out
}

/// A hint for an unknown key: the nearest known one, or the known keys of its section.
fn nearest(key: &[String], known: &Dict) -> String {
    let wanted = key.join(".");
    let all = leaves(known);
    let mut sections: Vec<&str> =
        all.iter().filter_map(|leaf| leaf.rsplit_once('.')).map(|(section, _)| section).collect();
    sections.dedup();
    // "review_address", "reviewaddress" and a key in the wrong section are sure guesses
    let squeeze = |text: &str| text.replace(['.', '_', '-'], "");
    let last = key.last().map_or("", String::as_str);
    let sure = all.iter().find(|leaf| squeeze(leaf) == squeeze(&wanted)).or_else(|| {
        let mut same = all.iter().filter(|leaf| leaf.rsplit('.').next() == Some(last));
        same.next().filter(|_| same.next().is_none())
    });
    if let Some(sure) = sure {
        return format!("did you mean `{sure}`?");
    }
    let section = key[..key.len() - 1].join(".");
    let siblings: Vec<&str> = all
        .iter()
        .filter_map(|leaf| leaf.rsplit_once('.'))
        .filter(|(head, _)| *head == section)
        .map(|(_, name)| name)
        .collect();
    // 0.84: "setle_seconds" is near "settle_seconds" (0.98), "colour" is not near "folders" (0.74)
    let near = |a: &str, b: &str| Some(strsim::jaro_winkler(a, b)).filter(|score| *score >= 0.84);
    let candidates = all.iter().map(String::as_str).chain(sections.iter().copied());
    let best_sibling = siblings
        .iter()
        .filter_map(|name| Some((near(name, last)?, format!("{section}.{name}"))))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let best = best_sibling.or_else(|| {
        // in a known section the others' names say more than a resemblance from afar
        candidates
            .filter(|_| siblings.is_empty())
            .filter_map(|candidate| Some((near(candidate, &wanted)?, candidate.to_owned())))
            .max_by(|a, b| a.0.total_cmp(&b.0))
    });
    match best {
        Some((_, name)) => format!("did you mean `{name}`?"),
        None if !siblings.is_empty() => format!("[{section}] has {}", siblings.join(", ")),
        None => format!("the sections are {}", known.keys().cloned().collect::<Vec<_>>().join(", ")),
    }
}
