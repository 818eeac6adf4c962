//! What applications are to get.

use super::error::PlanError;
use super::share::Share;
use crate::session;
use serde::Deserialize;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Name of the application that stands for everything without a class of its own.
pub(super) const DEFAULT: &str = "default";

/// What an application is to get.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct App {
    /// Its name.
    pub(super) name: String,
    /// Share of the L3 cache.
    pub(super) cache: Option<Share>,
    /// Share of the L3 cache for its data.
    pub(super) data: Option<Share>,
    /// Share of the L3 cache for its code.
    pub(super) code: Option<Share>,
    /// Share of the L2 cache.
    pub(super) l2: Option<Share>,
    /// Share of the L2 cache for its data.
    pub(super) l2_data: Option<Share>,
    /// Share of the L2 cache for its code.
    pub(super) l2_code: Option<Share>,
    /// Share of the memory bandwidth that a logical processor can have.
    pub(super) bandwidth: Option<Share>,
    /// Its part of the caches may be used by others that overlap, and by everything without a class of its own.
    #[serde(default)]
    pub(super) overlap: bool,
}

/// Share of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CacheGoal {
    /// For code and data together.
    Unified(Share),
    /// For each.
    Apart {
        /// For data.
        data: Share,
        /// For code.
        code: Share,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Goals {
    app: Vec<App>,
}

impl App {
    /// Reads `NAME:KEY=PERCENT,...`.
    pub(super) fn parse(goal: &str) -> Result<Self, PlanError> {
        let wrong = |what: String| PlanError::Goal { goal: goal.to_owned(), what };
        let (name, rest) = goal.split_once(':').ok_or_else(|| wrong("there is no `:` behind the name".into()))?;
        let mut app = Self { name: name.trim().to_owned(), ..Self::default() };
        for part in rest.split(',').map(str::trim) {
            if part == "overlap" {
                app.overlap = true;
                continue;
            }
            let (key, value) = part.split_once('=').ok_or_else(|| wrong(format!("`{part}` is no KEY=PERCENT")))?;
            let place = match key.trim() {
                "cache" | "l3" => &mut app.cache,
                "data" | "l3-data" => &mut app.data,
                "code" | "l3-code" => &mut app.code,
                "l2" => &mut app.l2,
                "l2-data" => &mut app.l2_data,
                "l2-code" => &mut app.l2_code,
                "bandwidth" | "bw" => &mut app.bandwidth,
                other => return Err(wrong(format!("there is no `{other}`"))),
            };
            if place.replace(Share::parse(value.trim()).map_err(wrong)?).is_some() {
                return Err(wrong(format!("`{key}` is there twice")));
            }
        }
        app.check().map_err(wrong)?;
        Ok(app)
    }

    /// Whether the goals of one application make sense.
    fn check(&self) -> Result<(), String> {
        if self.name.is_empty() || self.name.contains(|c: char| c.is_whitespace() || c == '/') {
            return Err("the name is empty, or has a blank or a slash".into());
        }
        for (level, [all, data, code]) in
            [("cache", [self.cache, self.data, self.code]), ("l2", [self.l2, self.l2_data, self.l2_code])]
        {
            if all.is_some() && (data.is_some() || code.is_some()) {
                return Err(format!("`{level}` is the share of data and code together: give it, or both of them"));
            }
            if data.is_some() != code.is_some() {
                return Err(format!("{level}: data and code are given both or not at all"));
            }
        }
        let goals = [self.cache, self.data, self.l2, self.l2_data, self.bandwidth];
        if goals.iter().all(Option::is_none) {
            return Err("it has no goal".into());
        }
        Ok(())
    }

    /// Its goal for the L3 cache.
    pub(super) fn l3_goal(&self) -> Option<CacheGoal> {
        goal(self.cache, self.data, self.code)
    }

    /// Its goal for the L2 cache.
    pub(super) fn l2_goal(&self) -> Option<CacheGoal> {
        goal(self.l2, self.l2_data, self.l2_code)
    }

    /// Whether it stands for everything without a class of its own.
    pub(super) fn is_default(&self) -> bool {
        self.name == DEFAULT
    }
}

fn goal(all: Option<Share>, data: Option<Share>, code: Option<Share>) -> Option<CacheGoal> {
    match (all, data, code) {
        (Some(all), ..) => Some(CacheGoal::Unified(all)),
        (None, Some(data), Some(code)) => Some(CacheGoal::Apart { data, code }),
        _ => None,
    }
}

/// Reads the goals of a TOML file: a table `[[app]]` for each application.
pub(super) fn load(path: &Path) -> Result<Vec<App>, PlanError> {
    let unreadable = |error| PlanError::Unreadable { path: path.to_owned(), error };
    let text = fs::read_to_string(path).map_err(unreadable)?;
    let goals: Goals = session::tables(&path.display().to_string(), &text)?;
    for app in &goals.app {
        app.check().map_err(|what| PlanError::Goal { goal: app.name.clone(), what })?;
    }
    Ok(goals.app)
}

/// Refuses two applications with one name.
pub(super) fn check_names(apps: &[App]) -> Result<(), PlanError> {
    let mut names = HashSet::new();
    match apps.iter().find(|app| !names.insert(&app.name)) {
        Some(app) => {
            Err(PlanError::Goal { goal: app.name.clone(), what: "there are two applications of this name".into() })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(percent: f64) -> Option<Share> {
        Share::of(percent)
    }

    #[test]
    fn goals_are_read_from_the_command_line() {
        let app = App::parse("video:cache=25%,bandwidth=50%,overlap").unwrap();
        let expected =
            App { name: "video".into(), cache: share(25.0), bandwidth: share(50.0), overlap: true, ..App::default() };
        assert_eq!(app, expected);
        let apart = App::parse("a:data=20,code=5,l2=50").unwrap();
        assert_eq!(
            apart.l3_goal(),
            Some(CacheGoal::Apart { data: Share::of(20.0).unwrap(), code: Share::of(5.0).unwrap() })
        );
        assert_eq!(apart.l2_goal(), share(50.0).map(CacheGoal::Unified));
    }

    #[test]
    fn wrong_goals_are_refused_by_what_is_wrong() {
        for (goal, text) in [
            ("video", "no `:`"),
            (":cache=5", "the name is empty"),
            ("a b:cache=5", "has a blank"),
            ("a:cache", "no KEY=PERCENT"),
            ("a:cash=5", "there is no `cash`"),
            ("a:cache=5,cache=6", "twice"),
            ("a:cache=0", "not above 0"),
            ("a:cache=5,data=3,code=2", "together"),
            ("a:data=3", "both or not at all"),
            ("a:overlap", "no goal"),
        ] {
            let error = App::parse(goal).unwrap_err().to_string();
            assert!(error.contains(text), "{goal}: {error}");
        }
        let twice = [App::parse("a:cache=5").unwrap(), App::parse("a:cache=6").unwrap()];
        assert!(check_names(&twice).unwrap_err().to_string().contains("two applications"));
    }

    #[test]
    fn goals_are_read_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("goals.toml");
        fs::write(&path, "[[app]]\nname = \"a\"\ncache = 25\nl2-data = \"30%\"\nl2-code = 12.5\n").unwrap();
        let apps = load(&path).unwrap();
        assert_eq!((apps[0].cache, apps[0].l2_data, apps[0].l2_code), (share(25.0), share(30.0), share(12.5)));
        fs::write(&path, "[[app]]\nname = \"a\"\ncache = 250\n").unwrap();
        let error = load(&path).unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("a percentage above 0"), "{error}");
        fs::write(&path, "[[app]]\nname = \"a\"\ncash = 25\n").unwrap();
        assert!(load(&path).unwrap_err().to_string().contains("line 3"));
    }
}
