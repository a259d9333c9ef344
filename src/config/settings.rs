//! All settings, and how they are put together.

use std::path::{Path, PathBuf};

use figment::Figment;
use figment::providers::Serialized;
use figment::value::Dict;
use serde::{Deserialize, Serialize};

use super::layer::{Layer, PREFIX};
use super::{ConfigError, LogParams};
use crate::chess::Color;
use crate::daemon::WorkerParams;
use crate::intake::WatchParams;
use crate::page::PageLimits;
use crate::reading::ReadingParams;
use crate::review::ReviewParams;

/// The settings file that is read when none is named and it is there.
pub const DEFAULT_FILE: &str = "config/fenwatch.toml";

/// Variables that begin like settings and are none.
const NOT_SETTINGS: [&str; 2] = ["FENWATCH_CONFIG", "FENWATCH_LOG"];

/// Where the program keeps what it knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StateParams {
    /// The folder of the database (which also holds the pictures for reviewers) and of the lock of the running daemon.
    pub folder: PathBuf,
}

impl Default for StateParams {
    fn default() -> Self {
        StateParams { folder: PathBuf::from("var") }
    }
}

impl StateParams {
    /// The database.
    pub fn database(&self) -> PathBuf {
        self.folder.join("fenwatch.db")
    }

    /// Held by the one daemon that works on this state.
    pub fn lock(&self) -> PathBuf {
        self.folder.join("fenwatch.lock")
    }
}

/// The side that moves where a book says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DefaultSide {
    /// White is assumed, and the diagram flagged.
    #[default]
    None,
    White,
    Black,
}

impl DefaultSide {
    pub fn color(self) -> Option<Color> {
        match self {
            DefaultSide::None => None,
            DefaultSide::White => Some(Color::White),
            DefaultSide::Black => Some(Color::Black),
        }
    }
}

/// What holds for books that have no settings of their own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BookParams {
    pub default_side: DefaultSide,
}

/// All settings.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub watch: WatchParams,
    pub state: StateParams,
    pub pages: PageLimits,
    pub books: BookParams,
    pub reading: ReadingParams,
    pub workers: WorkerParams,
    pub review: ReviewParams,
    pub log: LogParams,
}

impl Settings {
    /// The settings of `file` (without one, of [`DEFAULT_FILE`] if it is there) and of the environment. Paths are absolute.
    ///
    /// # Errors
    /// When the named file cannot be read, a key is unknown or a value is of the wrong kind or out of range; the message names it and where it stands.
    pub fn load(file: Option<&Path>) -> Result<Settings, ConfigError> {
        let path = match file {
            Some(path) => Some(path.to_owned()),
            None => Some(PathBuf::from(DEFAULT_FILE)).filter(|path| path.exists()),
        };
        let file = match path {
            Some(path) => {
                let text = std::fs::read_to_string(&path)
                    .map_err(|error| ConfigError::Read { path: path.clone(), reason: error.to_string() })?;
                Some((path.display().to_string(), text))
            }
            None => None,
        };
        let mut variables = Vec::new();
        for (name, value) in std::env::vars_os() {
            let Some(name) = name.to_str().filter(|name| is_setting(name)) else { continue };
            let value = value.into_string().map_err(|_| ConfigError::NotText(name.to_owned()))?;
            variables.push((name.to_owned(), value));
        }
        let mut settings = Settings::compose(file, variables)?;
        settings.make_absolute();
        Ok(settings)
    }

    /// Puts settings together from (origin, TOML text) and (name, value) of variables. Paths stay as written.
    pub fn compose(
        file: Option<(String, String)>,
        mut variables: Vec<(String, String)>,
    ) -> Result<Settings, ConfigError> {
        let known = Settings::known();
        let mut figment = Figment::from(Serialized::defaults(Settings::default()));
        if let Some((origin, text)) = file {
            let layer = Layer::of_toml(origin, &text)?;
            layer.check_keys(&known)?;
            figment = figment.merge(layer);
        }
        variables.retain(|(name, _)| is_setting(name));
        variables.sort();
        for (name, value) in &variables {
            let layer = Layer::of_variable(name, value, &known);
            layer.check_keys(&known)?;
            figment = figment.merge(layer);
        }
        let settings = figment.extract().map_err(|error| {
            let origin =
                error.metadata.as_ref().map_or("settings", |metadata| metadata.name.as_ref()).to_owned();
            ConfigError::Value { key: error.path.join("."), origin, message: error.kind.to_string() }
        })?;
        super::ranges::check(&settings, &figment)?;
        Ok(settings)
    }

    /// All keys with their defaults.
    pub(super) fn known() -> Dict {
        use figment::Provider;
        // plain structs of numbers, texts and lists: they always become a dictionary
        Serialized::defaults(Settings::default())
            .data()
            .ok()
            .and_then(|data| data.into_values().next())
            .unwrap_or_default()
    }

    fn make_absolute(&mut self) {
        let absolute = |path: &mut PathBuf| {
            if !path.as_os_str().is_empty()
                && let Ok(full) = std::path::absolute(&*path)
            {
                *path = full;
            }
        };
        self.watch.folders.iter_mut().for_each(absolute);
        absolute(&mut self.watch.done_folder);
        absolute(&mut self.state.folder);
        absolute(&mut self.reading.model.weights);
        absolute(&mut self.reading.model.library);
    }
}

fn is_setting(name: &str) -> bool {
    name.starts_with(PREFIX) && !NOT_SETTINGS.contains(&name)
}
