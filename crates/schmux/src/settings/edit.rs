//! Changes single values in a text of TOML and keeps the rest as it is: comments,
//! order, blanks. Pure.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Key, Table, TableLike, Value};

#[derive(Debug, thiserror::Error)]
pub(super) enum EditError {
    #[error("config.toml can't be changed before its mistake is corrected: {0}")]
    Unreadable(String),
    #[error("`{0}` can't be the name of a setting: write it as in `server.port`")]
    Name(String),
    #[error("`{0}` can't be set: something before its last dot is no table")]
    NoTable(String),
    #[error("`{name}` can't be {value}: leave it out instead (`unset`)")]
    Null { name: String, value: String },
}

pub(super) fn edit(
    text: &str,
    set: &BTreeMap<String, Json>,
    unset: &[String],
) -> Result<String, EditError> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| EditError::Unreadable(error.message().to_owned()))?;
    for name in unset {
        let keys = keys(name)?;
        if let Some(table) = table(&mut document, &keys[..keys.len() - 1], false) {
            table.remove(keys[keys.len() - 1].get());
        }
    }
    for (name, value) in set {
        let keys = keys(name)?;
        let last = &keys[keys.len() - 1];
        let item = item(name, value, keys.len())?;
        let table = table(&mut document, &keys[..keys.len() - 1], true)
            .ok_or_else(|| EditError::NoTable(name.clone()))?;
        put(table, last, item);
    }
    Ok(document.to_string())
}

fn keys(name: &str) -> Result<Vec<Key>, EditError> {
    let keys = Key::parse(name).unwrap_or_default();
    // `server = 1` at the top would be no section.
    if keys.len() < 2 { Err(EditError::Name(name.to_owned())) } else { Ok(keys) }
}

/// The table at the end of a way; made on the way if wanted.
fn table<'a>(
    document: &'a mut DocumentMut,
    way: &[Key],
    make: bool,
) -> Option<&'a mut dyn TableLike> {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for (depth, key) in way.iter().enumerate() {
        if !table.contains_key(key.get()) {
            if !make {
                return None;
            }
            let mut new = Table::new();
            // `[targets]` need not be written above `[targets.mine]`.
            new.set_implicit(depth + 1 < way.len());
            table.insert(key.get(), Item::Table(new));
        }
        table = table.get_mut(key.get())?.as_table_like_mut()?;
    }
    Some(table)
}

/// Replaces a value in its place, with the comment behind it.
fn put(table: &mut dyn TableLike, key: &Key, mut item: Item) {
    let old = table.get_mut(key.get());
    if let (Some(Item::Value(old)), Item::Value(new)) = (old, &mut item) {
        *new.decor_mut() = old.decor().clone();
        *old = new.clone();
        return;
    }
    table.insert(key.get(), item);
}

/// An entry of a table (`targets.mine`) gets a section of its own.
fn item(name: &str, value: &Json, depth: usize) -> Result<Item, EditError> {
    match value {
        Json::Object(fields) if depth <= 2 => {
            let mut table = Table::new();
            for (key, value) in fields {
                table.insert(key, Item::Value(to_toml(name, value)?));
            }
            Ok(Item::Table(table))
        }
        value => Ok(Item::Value(to_toml(name, value)?)),
    }
}

fn to_toml(name: &str, value: &Json) -> Result<Value, EditError> {
    let null = || EditError::Null { name: name.to_owned(), value: value.to_string() };
    Ok(match value {
        Json::Null => return Err(null()),
        Json::Bool(value) => (*value).into(),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(fraction)) => fraction.into(),
            (None, None) => return Err(null()),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => {
            let items = items.iter().map(|item| to_toml(name, item));
            Value::Array(items.collect::<Result<Array, EditError>>()?)
        }
        Json::Object(fields) => {
            let mut table = InlineTable::new();
            for (key, value) in fields {
                table.insert(key, to_toml(name, value)?);
            }
            Value::InlineTable(table)
        }
    })
}
