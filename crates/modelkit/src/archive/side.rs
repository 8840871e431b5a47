//! Files beside the model, inside the archive.

use super::package::Package;
use crate::read::SideFiles;
use std::borrow::Cow;
use std::cell::RefCell;

/// Looks names up without case: first beside the model, then anywhere with as
/// much of the path as fits, at last by the file name alone. Of names that differ
/// only by case the one as written is taken.
pub struct Beside<'a> {
    package: RefCell<Package<'a>>,
    /// Folder of the model, lower case, parts.
    folder: Vec<String>,
    /// Paths of all entries, likewise.
    paths: Vec<Vec<String>>,
}

impl<'a> Beside<'a> {
    pub fn new(package: Package<'a>, main: &str) -> Self {
        let mut folder = parts(main);
        folder.pop();
        let paths = package
            .entries()
            .iter()
            .map(|entry| parts(&entry.path))
            .collect();
        Self {
            package: RefCell::new(package),
            folder,
            paths,
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        let wanted = parts(name.trim().trim_matches('"'));
        if wanted.is_empty() {
            return None;
        }
        let exact = self.resolve(&wanted);
        let written = name.trim().trim_matches('"').rsplit(['/', '\\']).next();
        let package = self.package.borrow();
        // Its very place, more of the path, nearer to the model, as written, the first.
        let score = |(i, path): (usize, &Vec<String>)| {
            let fits = common_tail(path, &wanted);
            let own = package.entries().get(i).map(|entry| entry.path.as_str());
            let same = own.and_then(|own| own.rsplit('/').next()) == written;
            let near = common_head(path, &self.folder);
            let first = std::cmp::Reverse(i);
            (fits > 0).then_some((*path == exact, fits, near, same, first))
        };
        let best = self.paths.iter().enumerate().filter_map(score).max();
        best.map(|(.., std::cmp::Reverse(i))| i)
    }

    /// The name as seen from the model's folder.
    fn resolve(&self, wanted: &[String]) -> Vec<String> {
        let mut path = self.folder.clone();
        for part in wanted {
            match part.as_str() {
                "." => {}
                ".." => {
                    path.pop();
                }
                _ => path.push(part.clone()),
            }
        }
        path
    }
}

impl SideFiles for Beside<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let place = self.place(name)?;
        self.package.borrow_mut().read(place).ok().map(Cow::Owned)
    }
}

fn parts(path: &str) -> Vec<String> {
    path.split(['/', '\\'])
        .filter(|p| !p.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn common_tail(a: &[String], b: &[String]) -> usize {
    a.iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| a == b)
        .count()
}

fn common_head(a: &[String], b: &[String]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
