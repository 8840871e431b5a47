//! Shows a model without giving it away: a coarse marked stand-in to turn, pictures of the true one, and its facts.
//! What decides whether there is anything to show is written first: the stand-in ([`proxy`]), the facts ([`facts`]) with
//! the descriptor ([`descriptor`]), one picture; then the rest ([`pictures`]).

mod clips;
mod coarse;
pub mod descriptor;
pub mod facts;
mod mark;
mod pictures;
mod problems;
pub mod proxy;
mod strip;

use crate::progress::{Ctx, Stage, Unheard};
use crate::{Error, Result, Scene};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Models of fewer triangles are shown in pictures only: anything to turn would be the model itself.
pub const LEAST_TRIANGLES: usize = 1_000;
/// Characters of the mark.
const LONGEST_MARK: usize = 24;

/// Options of a showcase.
pub struct Options {
    /// Written over colour textures; printable ASCII.
    pub mark: String,
    /// What moves the grid of positions: the same listing gets the same stand-in.
    pub seed: String,
    /// Of the check-up, for the facts.
    pub score: Option<u32>,
}

impl Options {
    fn check(&self) -> Result<()> {
        let mark = self.mark.trim();
        let plain = mark.chars().all(|c| c == ' ' || c.is_ascii_graphic());
        if mark.is_empty() || mark.len() > LONGEST_MARK || !plain {
            return Err(Error::Usage(format!(
                "--mark 须为 1 到 {LONGEST_MARK} 个英文字母、数字或符号"
            )));
        }
        Ok(())
    }
}

/// Writes the showcase of `scene` to `folder`; returns what was written and what is known of the model.
pub fn make(scene: &Scene, folder: &Path, options: &Options, ctx: &Ctx) -> Result<Value> {
    options.check()?;
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, &e))?;
    ctx.report(Stage::Simplify, 0.0, "正在生成展示替身")?;
    let unheard = Unheard(ctx.progress);
    let quiet = Ctx {
        progress: &unheard,
        ..ctx.part(0.0, 1.0)
    };
    let mut files = Files {
        folder,
        made: Vec::new(),
    };
    let proxy = proxy::make(scene, options, &quiet)?;
    if let Some(proxy) = &proxy {
        proxy.glb.write(&files.add("proxy", "proxy.glb"))?;
    }
    ctx.report(Stage::Check, 0.2, "正在统计模型")?;
    let report = proxy.as_ref().map(proxy::Made::report);
    drop(proxy);
    let facts = facts::of(scene, options.score, report, &quiet)?;
    let path = files.add("facts", "facts.json");
    let text = serde_json::to_vec_pretty(&facts).map_err(|e| Error::Internal(e.to_string()))?;
    std::fs::write(&path, text).map_err(|e| Error::io(&path, &e))?;
    pictures::all(scene, &mut files, &quiet, &ctx.part(0.25, 1.0))?;
    ctx.report(Stage::Write, 1.0, "展示资料已生成")?;
    Ok(json!({"files": files.report()?, "facts": facts}))
}

/// What has been written, in order.
struct Files<'a> {
    folder: &'a Path,
    made: Vec<(&'static str, String, String)>,
}

impl Files<'_> {
    /// Notes a file of a kind; returns where it belongs.
    fn add(&mut self, kind: &'static str, name: &str) -> PathBuf {
        self.add_titled(kind, name, "")
    }

    /// The same of a file that needs a title beside its kind.
    fn add_titled(&mut self, kind: &'static str, name: &str, title: &str) -> PathBuf {
        self.made.push((kind, name.to_owned(), title.to_owned()));
        self.folder.join(name)
    }

    fn report(&self) -> Result<Vec<Value>> {
        let one = |(kind, name, title): &(&str, String, String)| {
            let path = self.folder.join(name);
            let bytes = std::fs::metadata(&path)
                .map_err(|e| Error::io(&path, &e))?
                .len();
            Ok(json!({"kind": kind, "name": name, "title": title, "bytes": bytes}))
        };
        self.made.iter().map(one).collect()
    }
}
