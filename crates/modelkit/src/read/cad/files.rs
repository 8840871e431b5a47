//! The files of a model: STEP assemblies may leave the geometry of parts to other files, which lie beside them.

use super::program::Sender as Pipe;
use super::step::{Step, Triangles, references};
use super::stream::Files;
use super::{in_utf8, is_step};
use crate::limits::Limits;
use crate::read::SideFiles;
use crate::scene::{Problem, Severity};
use crate::{Error, Result};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

/// In place of the length of a file that there is not.
const ABSENT: u64 = u64::MAX;
/// Most files of a model.
const MOST: usize = 4096;
/// Most names in a message.
const NAMED: usize = 6;

/// A file for the child; `None` if there is none.
type Sent<'a> = Option<Arc<Step<'a>>>;

/// Sends the kind of the model, then files as they come, each with its length.
pub fn send(to: &mut Pipe, letter: u8, files: &Receiver<Sent>) -> io::Result<()> {
    to.send(&[letter])?;
    for file in files {
        let Some(file) = file else {
            to.send(&ABSENT.to_le_bytes())?;
            continue;
        };
        to.send(&file.length().to_le_bytes())?;
        for piece in file.pieces() {
            to.send(piece)?;
        }
    }
    Ok(())
}

/// What a STEP file may be called that another refers to: some write the native file's name.
fn file_names(name: &str) -> [String; 3] {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    [
        name.to_owned(),
        format!("{stem}.stp"),
        format!("{stem}.step"),
    ]
}

/// What the files may be called that a STEP file refers to.
pub fn referred(bytes: Vec<u8>) -> Vec<String> {
    let names = references(&in_utf8(bytes.into()));
    names.iter().flat_map(|name| file_names(name)).collect()
}

/// A model's files.
pub struct Family<'a> {
    side: &'a dyn SideFiles,
    limits: &'a Limits,
    /// Those with triangles of their own; the others are needed by the child only.
    files: Vec<Sent<'a>>,
    to: Sender<Sent<'a>>,
    asked: usize,
    /// Bytes that may still be sent of other files.
    left: u64,
    missing: Vec<String>,
}

impl<'a> Family<'a> {
    /// Sends the model's own file.
    pub fn new(
        main: Step<'a>,
        side: &'a dyn SideFiles,
        limits: &'a Limits,
        to: Sender<Sent<'a>>,
    ) -> Self {
        let mut family = Self {
            side,
            limits,
            files: Vec::new(),
            to,
            asked: 0,
            left: limits.archive_bytes,
            missing: Vec::new(),
        };
        family.add(main);
        family
    }

    fn add(&mut self, file: Step<'a>) {
        let file = Arc::new(file);
        let kept = file.has_triangles().then(|| Arc::clone(&file));
        self.files.push(kept);
        self.answer(Some(file));
    }

    fn answer(&self, file: Sent<'a>) {
        // The writing thread has ended if the child has, which the stream will show.
        let _ = self.to.send(file);
    }

    /// A STEP file by the name that another has for it.
    fn find(&self, name: &str) -> Option<Step<'a>> {
        let found = file_names(name)
            .into_iter()
            .filter_map(|name| self.side.find(&name))
            .find(|bytes| is_step(bytes))?;
        Some(Step::new(in_utf8(found)))
    }

    /// What was not found, if anything.
    pub fn missing(self) -> Option<Missing> {
        (!self.missing.is_empty()).then_some(Missing(self.missing))
    }
}

impl Files for Family<'_> {
    fn send(&mut self, name: &str) {
        self.asked += 1;
        let found = match self.asked <= MOST {
            true => self.find(name).filter(|file| file.length() <= self.left),
            false => None,
        };
        match found {
            Some(file) => {
                self.left -= file.length();
                self.add(file);
            }
            None => {
                self.missing.push(name.to_owned());
                self.answer(None);
            }
        }
    }

    fn triangles(&self, file: usize, entity: u32) -> Result<Triangles> {
        match self.files.get(file) {
            Some(Some(file)) => file.triangles(entity, self.limits),
            _ => Ok(Triangles::default()),
        }
    }
}

/// Names of files that are not there.
pub struct Missing(Vec<String>);

impl Missing {
    fn text(&self) -> String {
        let named: Vec<&str> = self.0.iter().take(NAMED).map(String::as_str).collect();
        let more = if self.0.len() > NAMED { " 等" } else { "" };
        format!("{}{more}", named.join("、"))
    }

    /// Nothing is left to show.
    pub fn refusal(&self) -> Error {
        Error::EmptyModel(format!(
            "STEP 装配文件引用了其他零件文件，但没有找到：{}；请把装配文件和全部零件文件（STEP 格式）放在一个压缩包里上传",
            self.text()
        ))
    }

    pub fn finding(&self) -> Problem {
        Problem::new(
            "external-parts",
            Severity::Warning,
            "",
            format!(
                "装配引用的 {} 个零件文件没有找到，或不是 STEP 文件，其中的零件未显示：{}",
                self.0.len(),
                self.text()
            ),
            "请把装配文件和全部零件文件（STEP 格式）放在一个压缩包里上传",
        )
    }
}
