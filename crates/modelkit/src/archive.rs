//! Archives: finding the model and its side files inside a ZIP or RAR.
//! Paths in an archive never become paths on disk: large contents go into unnamed temporary files. Names are decoded
//! as the archive states, else all in one encoding; backslashes count as slashes. Nested archives are searched. The limits on entries, sizes and
//! compression ratio are checked before anything is unpacked, and again against the actual output; together with the
//! time limit they apply to all nested archives in total.

mod allowance;
mod assembly;
mod choose;
pub(crate) mod content;
mod entry;
mod gzip;
pub(crate) mod package;
mod rar;
mod side;
mod zip;

use crate::read::encoding::Encoding;
use crate::read::{Mapped, SideFiles};
use crate::scene::{Problem, Severity};
use crate::{Ctx, Error, Result};
pub use content::Content;
use content::Source;
pub(crate) use gzip::{is_gzip, name_inside, unpack as unpack_gzip};
pub(crate) use package::Package;
pub(crate) use rar::{extract as extract_rar, is_rar};
use std::borrow::Cow;

/// A main file and its side files.
pub struct Unpacked<'a> {
    pub main: Content,
    /// Path inside the archive, decoded, with `/`.
    pub main_name: String,
    pub side: Box<dyn SideFiles + 'a>,
    pub problems: Vec<Problem>,
    /// Model files in the archive; only one is read.
    pub model_num: usize,
}

/// Whether bytes start with an archive's signature.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || rar::is_rar(bytes)
}

/// Opens an archive and unpacks its model.
pub fn unpack<'a>(bytes: &'a [u8], mapped: Mapped<'a>, ctx: &Ctx) -> Result<Unpacked<'a>> {
    let mut package = Package::open(Cow::Borrowed(bytes), mapped, &ctx.limits)?;
    match search(&mut package, ctx)? {
        Found::Here(models) => take(package, models, ctx),
        Found::Within(inner, models) => take(*inner, models, ctx),
        Found::Nowhere => Err(choose::nothing(&package)),
    }
}

enum Found<'a> {
    Here(Vec<usize>),
    /// In a nested archive.
    Within(Box<Package<'a>>, Vec<usize>),
    Nowhere,
}

/// Searches for models, then in nested archives; those that cannot be opened are skipped if another one holds a model.
fn search<'a>(package: &mut Package<'_>, ctx: &Ctx) -> Result<Found<'a>> {
    let models = choose::models(package);
    if !models.is_empty() {
        return Ok(Found::Here(models));
    }
    let mut broken = None;
    for place in choose::nested(package) {
        let path = package.entries()[place].path.clone();
        package.allowance.check_depth()?;
        let content = package.unpack(place)?;
        let allowance = package.allowance.deeper();
        let mut inner = match Package::open_within(Source::Unpacked(content), allowance) {
            Ok(inner) => inner,
            // The limits apply to the whole, so exceeding one is final.
            Err(
                error @ (Error::TooLarge(_) | Error::Limit(_) | Error::Io(_) | Error::NoSpace(_)),
            ) => {
                return Err(error);
            }
            Err(error) => {
                broken.get_or_insert(error);
                continue;
            }
        };
        ctx.info(&format!("压缩包里还有一层压缩包：{path}"));
        let found = search(&mut inner, ctx);
        package.allowance.and_then(&inner.allowance);
        match found? {
            Found::Here(models) => return Ok(Found::Within(Box::new(inner), models)),
            Found::Nowhere => {}
            within => return Ok(within),
        }
    }
    broken.map_or(Ok(Found::Nowhere), Err)
}

/// Unpacks the first of `models`, but an assembly before its parts; a problem lists the others.
fn take<'a>(mut package: Package<'a>, models: Vec<usize>, ctx: &Ctx) -> Result<Unpacked<'a>> {
    let models = &assembly::first(&mut package, models)[..];
    let Some(&chosen) = models.first() else {
        return Err(choose::nothing(&package));
    };
    let main_name = package.entries()[chosen].path.clone();
    ctx.info(&format!(
        "压缩包内共 {} 个文件，主模型：{main_name}",
        package.entries().len()
    ));
    let main = package.unpack(chosen)?;
    if main.is_empty() {
        return Err(Error::corrupt(format!(
            "压缩包里的 {main_name} 是空文件，请重新打包"
        )));
    }
    let mut problems = Vec::new();
    if models.len() > 1 {
        problems.push(several(&package, models));
    }
    Ok(Unpacked {
        main,
        side: Box::new(side::Beside::new(package, &main_name)),
        main_name,
        problems,
        model_num: models.len(),
    })
}

fn several(package: &Package, models: &[usize]) -> Problem {
    let path = |i: &usize| package.entries()[*i].path.clone();
    let others: Vec<String> = models[1..].iter().take(5).map(path).collect();
    let more = if models.len() > 6 { " 等" } else { "" };
    Problem::new(
        "several-models",
        Severity::Info,
        "",
        format!(
            "压缩包里有 {} 个模型，已选用 {}，未使用：{}{more}",
            models.len(),
            path(&models[0]),
            others.join("、"),
        ),
        "如需处理其他模型，请分别打包上传",
    )
}

/// The processing of an entry's raw name, for fuzzing.
pub(crate) fn examine_name(raw: &[u8]) {
    let path = entry::decode(raw, Encoding::of(raw));
    entry::is_junk(&path);
    let _ = entry::check_path(&path);
}
