//! Offline packages: a ZIP with one page that contains viewer and model and opens with a double click. Browsers let a
//! local page load no other files, so everything is inside it.

use crate::amrt::Manifest;
use crate::lighten;
use crate::progress::{Ctx, Stage};
use crate::read::amrt::look;
use crate::write::{self, Options, OutFormat, Written};
use crate::{Error, Result, Scene};
use base64::Engine;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The file users double-click.
pub const ENTRY: &str = "index.html";
const README: &str = "使用说明.txt";
const LICENSES: &str = "LICENSES.txt";

/// Bytes of the model per element of the page; a multiple of three, so that base64 needs no padding in between.
const CHUNK: usize = 3 << 20;
/// Largest model: browsers hold it as text and again as bytes.
const MOST_BYTES: u64 = 700 << 20;

/// Result of packing.
pub struct Packed {
    pub manifest: Manifest,
    /// Size of the model inside the page, before base64, in bytes.
    pub model_bytes: u64,
    pub written: Written,
}

/// The page of an offline package, with its viewer inside.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The whole HTML without a model: [`TITLE`] and [`MODEL`] mark the places for name and model.
    pub html: &'static str,
    /// Licences of the libraries in it, as text.
    pub licenses: &'static str,
}

/// Placeholder in the HTML for the model's name.
pub const TITLE: &str = "<!--xuanlan:title-->";
/// Placeholder in the HTML for the model.
pub const MODEL: &str = "<!--xuanlan:model-->";

/// Packs `scene` into the ZIP `output`; the embedded model is also saved to `preview`, if given.
pub fn pack(
    scene: &Scene,
    output: &Path,
    page: Page,
    options: &Options,
    preview: Option<&Path>,
    ctx: &Ctx,
) -> Result<Packed> {
    if scene.bounds().is_empty() {
        return Err(Error::EmptyModel(
            "文件里没有可显示的几何，打成离线包也看不到内容，请检查导出选项是否漏选了网格".into(),
        ));
    }
    let folder = tempfile::tempdir().map_err(|e| Error::storage(e.to_string(), &e))?;
    let own = folder.path().join("model.amrt");
    let model = preview.unwrap_or(&own);
    let written = model_file(scene, model, options, &ctx.part(0.0, 0.7))?;
    let manifest = look(model)?;
    let model_bytes = std::fs::metadata(model)
        .map_err(|e| Error::io(model, &e))?
        .len();
    if model_bytes > MOST_BYTES {
        return Err(Error::TooLarge(format!(
            "模型压缩后仍有 {} MB，浏览器打不开这么大的离线包，请先做轻量化",
            model_bytes >> 20
        )));
    }
    let part = ctx.part(0.7, 1.0);
    part.report(Stage::Write, 0.0, "正在打包")?;
    let title = match manifest.title.is_empty() {
        true => "模型",
        false => manifest.title.as_str(),
    };
    zip(output, page, title, model, model_bytes, &part)?;
    Ok(Packed {
        manifest,
        model_bytes,
        written,
    })
}

/// The model as AMRT. The page has no KTX2 transcoder, which would be larger than most models: such textures become
/// WebP.
fn model_file(scene: &Scene, path: &Path, options: &Options, ctx: &Ctx) -> Result<Written> {
    let options = Options {
        textures: lighten::TextureFormat::Webp,
        ..options.clone()
    };
    if !scene.images.iter().any(|i| i.mime == "image/ktx2") {
        return write::write(scene, path, OutFormat::Amrt, &options, ctx);
    }
    let mut plain = scene.clone();
    lighten::without_ktx2(&mut plain, &ctx.part(0.0, 0.3))?;
    write::write(&plain, path, OutFormat::Amrt, &options, &ctx.part(0.3, 1.0))
}

fn zip(output: &Path, page: Page, title: &str, model: &Path, length: u64, ctx: &Ctx) -> Result<()> {
    let io = |e: std::io::Error| Error::io(output, &e);
    let fail = |e: zip::result::ZipError| Error::Internal(format!("packing: {e}"));
    let (head, rest) = parted(page.html, TITLE)?;
    let (middle, tail) = parted(rest, MODEL)?;
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        // Base64 is all there is to compress in the model, and the lowest level does that as well as the highest.
        .compression_level(Some(1));
    let mut zip = ZipWriter::new(BufWriter::new(File::create(output).map_err(io)?));
    zip.start_file(ENTRY, options).map_err(fail)?;
    for text in [head, &escaped(title), middle] {
        zip.write_all(text.as_bytes()).map_err(io)?;
    }
    let mut file = BufReader::new(File::open(model).map_err(|e| Error::io(model, &e))?);
    let mut done = 0;
    loop {
        let mut bytes = Vec::with_capacity(CHUNK);
        let read = file.by_ref().take(CHUNK as u64).read_to_end(&mut bytes);
        if read.map_err(|e| Error::io(model, &e))? == 0 {
            break;
        }
        let text = base64::engine::general_purpose::STANDARD.encode(&bytes);
        let element = format!("<script type=\"application/x-amrt\">{text}</script>\n");
        zip.write_all(element.as_bytes()).map_err(io)?;
        done += bytes.len() as u64;
        ctx.report(Stage::Write, done as f64 / length.max(1) as f64, "正在打包")?;
    }
    zip.write_all(tail.as_bytes()).map_err(io)?;
    for (name, text) in [
        (README, readme(title)),
        (LICENSES, page.licenses.to_owned()),
    ] {
        zip.start_file(name, options).map_err(fail)?;
        zip.write_all(text.as_bytes()).map_err(io)?;
    }
    zip.finish().map_err(fail)?.flush().map_err(io)
}

/// The page split at one of its placeholders.
fn parted<'a>(html: &'a str, mark: &str) -> Result<(&'a str, &'a str)> {
    let parts = html.split_once(mark);
    parts.ok_or_else(|| Error::Internal(format!("the offline page lacks {mark}")))
}

/// Text escaped for HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

fn readme(title: &str) -> String {
    let title: String = title.chars().filter(|c| !c.is_control()).collect();
    format!(
        "{title}\r\n\r\n\
         1. 先把压缩包解开。\r\n\
         2. 双击 {ENTRY}，用 Chrome、Edge、Firefox 或 Safari 打开。\r\n\
         3. 不需要网络，也不会向任何地址发送数据，可以直接拷贝给他人。\r\n\r\n\
         鼠标左键拖动旋转，右键拖动平移，滚轮缩放，双击空白处回到开始的视角。\r\n\
         查看器所用开源软件的许可见 {LICENSES}。\r\n"
    )
}
