//! The model's side files inside the archive.

use super::package::Package;
use crate::read::SideFiles;
use std::borrow::Cow;
use std::cell::RefCell;

/// Finds files by name, ignoring case: first relative to the model, then anywhere by the longest matching end of the
/// path, finally by the file name alone. Of names that differ only in case the exact match is preferred.
pub struct Beside<'a> {
    package: RefCell<Package<'a>>,
    /// Folder of the model, as lower-case segments.
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
        // Preference: exact place, longer match, closer to the model, exact case, first.
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

    /// The name resolved against the model's folder.
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
