//! STEP and IGES, through the program `modelkit-cad` (OCCT) in a process of its own.
//! The child receives the file through a pipe and returns a stream of nodes, names, colours and triangles. It has
//! neither files nor network, and limits on memory and time; a file that makes it crash or hang is reported as a bad
//! file.

mod files;
mod program;
pub(crate) mod step;
mod stream;

pub(crate) use files::referred;
pub use program::{Program, stand_by, stand_down, standing_by};
pub(crate) use step::{Step, Triangles};
pub(crate) use stream::{Files, read as read_stream};

use super::encoding::Encoding;
use super::{Input, obj};
use crate::progress::Ctx;
use crate::{Error, Result, Scene};
use files::Family;
use program::{Ended, Running};
use std::borrow::Cow;
use std::sync::mpsc;

/// Exit code of a `modelkit-cad` that was built without OCCT (`EX_UNAVAILABLE`).
pub const WITHOUT_OCCT: i32 = 69;

/// Bytes searched for a STEP file's schema.
const HEADER_BYTES: usize = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Step,
    Iges,
}

impl Kind {
    fn title(self) -> &'static str {
        match self {
            Kind::Step => "STEP",
            Kind::Iges => "IGES",
        }
    }
}

/// Whether a file starts like STEP (ISO 10303-21).
pub fn is_step(bytes: &[u8]) -> bool {
    head(bytes).starts_with("ISO-10303-21")
}

/// Whether a STEP file contains a building (IFC), whose entities OCCT does not support.
pub fn is_ifc(bytes: &[u8]) -> bool {
    let head = head(bytes).to_ascii_uppercase();
    let schema = head.split("FILE_SCHEMA").nth(1);
    schema.is_some_and(|rest| {
        rest.trim_start_matches([' ', '(', '\'', '\r', '\n'])
            .starts_with("IFC")
    })
}

/// Whether a file starts like IGES in ASCII: a first record of 80 columns with an S in the 73rd, then a number.
pub fn is_iges(bytes: &[u8]) -> bool {
    let Some(line) = past_line_ends(bytes).get(..80) else {
        return false;
    };
    let number = line[73..80]
        .iter()
        .all(|b| b.is_ascii_digit() || *b == b' ');
    line[72] == b'S' && number && line[79].is_ascii_digit() && !line.contains(&b'\n')
}

/// Empty lines before the first record have no meaning, and OCCT refuses them.
fn past_line_ends(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|b| !matches!(b, b'\r' | b'\n'));
    &bytes[start.unwrap_or(bytes.len())..]
}

fn head(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = &bytes[..bytes.len().min(HEADER_BYTES)];
    String::from_utf8_lossy(head).trim_start().to_owned()
}

pub fn read(input: &Input, kind: Kind, ctx: &Ctx) -> Result<Scene> {
    read_with(&Program::installed(), input, kind, ctx)
}

/// Reads with the given program.
pub fn read_with(program: &Program, input: &Input, kind: Kind, ctx: &Ctx) -> Result<Scene> {
    // The strings of IGES are counted in bytes, so they stay as they are until they are names.
    let (letter, main, encoding) = match kind {
        Kind::Iges => {
            let bytes = past_line_ends(input.bytes);
            let main = Step::untouched(Cow::Borrowed(bytes));
            (b'I', main, Encoding::of(bytes))
        }
        Kind::Step => (
            b'S',
            Step::new(in_utf8(Cow::Borrowed(input.bytes))),
            Encoding::UTF8,
        ),
    };
    let mut running = Running::start(program).map_err(|_| not_installed())?;
    let mut to = running.take_input();
    let (result, missing) = std::thread::scope(|scope| {
        let (sender, sending) = mpsc::channel();
        scope.spawn(move || {
            // A child that exits early has written the reason to its output.
            let _ = files::send(&mut to, letter, &sending);
        });
        let mut files = Family::new(main, input.side, &ctx.limits, sender);
        let result = stream::read(&mut running.output(), encoding, &mut files, ctx);
        // Both end the writing thread.
        running.stop();
        (result, files.missing())
    });
    let mut scene = match result {
        Ok(scene) => scene,
        Err(stream::Broken::Invalid(error)) => return Err(error),
        Err(stream::Broken::Refused(why)) => return Err(refusal(why, kind)),
        Err(stream::Broken::Silent) => return Err(too_long(kind)),
        Err(stream::Broken::Ended) => return Err(fallen(running.ended(), kind)),
    };
    if let Some(missing) = missing {
        if scene.meshes.is_empty() {
            return Err(missing.refusal());
        }
        scene.note(missing.finding());
    }
    name_the_roots(&mut scene, input.name);
    Ok(scene)
}

/// The standard requires ASCII with escapes; Chinese writers put in raw GBK, whose second bytes may look like quotes
/// and escapes to a parser.
fn in_utf8(bytes: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let marked = bytes.starts_with(b"\xef\xbb\xbf");
    let encoding = Encoding::of(if marked { &bytes[3..] } else { &bytes });
    match (encoding == Encoding::UTF8, bytes) {
        (true, Cow::Borrowed(bytes)) if marked => Cow::Borrowed(&bytes[3..]),
        (true, bytes) if !marked => bytes,
        (_, bytes) => {
            let text = if marked { &bytes[3..] } else { &bytes };
            Cow::Owned(encoding.decode(text).into_owned().into_bytes())
        }
    }
}

/// A root without a name of its own gets the file's.
fn name_the_roots(scene: &mut Scene, file: &str) {
    scene.name = obj::stem(file);
    if let [root] = scene.roots[..]
        && let Some(node) = scene.nodes.get_mut(root as usize)
        && node.name.is_empty()
    {
        node.name.clone_from(&scene.name);
        if let Some(mesh) = node.mesh.and_then(|m| scene.meshes.get_mut(m as usize)) {
            mesh.name.clone_from(&scene.name);
        }
    }
}

fn not_installed() -> Error {
    Error::unsupported(
        "读取 STEP、IGES 需要 OCCT 组件，当前服务器没有安装，请联系管理员安装，或导出为 GLB、OBJ、STL 后上传",
    )
}

fn too_long(kind: Kind) -> Error {
    let title = kind.title();
    Error::Limit(format!(
        "读取 {title} 文件的时间超出上限，请拆分模型或导出为 GLB、STL 后重试"
    ))
}

fn too_much_memory(kind: Kind) -> Error {
    let title = kind.title();
    Error::Limit(format!(
        "读取 {title} 文件所需内存超出上限，请拆分模型后重试"
    ))
}

fn refusal(why: stream::Refusal, kind: Kind) -> Error {
    let title = kind.title();
    match why {
        stream::Refusal::Unreadable => Error::corrupt(format!(
            "{title} 文件无法解析，可能不完整或已损坏，请在 CAD 软件中重新导出后上传"
        )),
        stream::Refusal::Empty => Error::EmptyModel(format!(
            "{title} 文件里没有可显示的实体或曲面，请确认导出时选中了模型"
        )),
        stream::Refusal::Memory => too_much_memory(kind),
        stream::Refusal::Library => Error::corrupt(format!(
            "{title} 文件的几何有错误，读取中断，请在 CAD 软件中检查修复后重新导出"
        )),
    }
}

fn fallen(ended: Ended, kind: Kind) -> Error {
    match ended {
        // 127: the program or one of its libraries is missing.
        Ended::Code(WITHOUT_OCCT | 127) => not_installed(),
        Ended::Signal(libc::SIGXCPU | libc::SIGKILL) => too_long(kind),
        _ => Error::corrupt(format!(
            "{} 文件使读取程序意外中断，文件可能已损坏，请在 CAD 软件中检查修复后重新导出，或导出为 GLB、STL 后上传",
            kind.title()
        )),
    }
}
