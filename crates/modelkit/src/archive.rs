//! Archives: finding the model and the files beside it inside a ZIP or RAR.
//!
//! Nothing is written to disk. Names are decoded (UTF-8, else GBK), backslashes
//! are taken as slashes. An archive inside the archive is looked into once. The limits
//! on entries, sizes and ratio are checked before anything is unpacked, and
//! again against what really comes out.

mod choose;
mod package;
mod rar;
mod side;
mod zip;

use crate::read::SideFiles;
use crate::scene::{Problem, Severity};
use crate::{Ctx, Error, Result};
pub(crate) use package::Package;
pub(crate) use rar::{extract as extract_rar, is_rar};
use std::borrow::Cow;

/// A main file with the files beside it.
pub struct Unpacked<'a> {
    pub main: Vec<u8>,
    /// Path inside the archive, decoded, with `/`.
    pub main_name: String,
    pub side: Box<dyn SideFiles + 'a>,
    pub problems: Vec<Problem>,
    /// Model files in the archive; only one is read.
    pub model_num: usize,
}

/// Opens an archive and unpacks its model.
pub fn unpack<'a>(bytes: &'a [u8], _name: &str, ctx: &Ctx) -> Result<Unpacked<'a>> {
    let mut package = Package::open(Cow::Borrowed(bytes), &ctx.limits)?;
    let models = choose::models(&package);
    if !models.is_empty() {
        return take(package, &models, ctx);
    }
    for nested in choose::nested(&package) {
        let inner = package.read(nested)?;
        let inner = Package::open(Cow::Owned(inner), &ctx.limits)?;
        let models = choose::models(&inner);
        if !models.is_empty() {
            ctx.info(&format!(
                "压缩包里还有一层压缩包：{}",
                package.entries()[nested].path
            ));
            return take(inner, &models, ctx);
        }
    }
    Err(choose::nothing(&package))
}

/// Unpacks the first of `models`; the rest are only named.
fn take<'a>(mut package: Package<'a>, models: &[usize], ctx: &Ctx) -> Result<Unpacked<'a>> {
    let Some(&chosen) = models.first() else {
        return Err(choose::nothing(&package));
    };
    let main_name = package.entries()[chosen].path.clone();
    ctx.info(&format!(
        "压缩包内共 {} 个文件，主模型：{main_name}",
        package.entries().len()
    ));
    let main = package.read(chosen)?;
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
