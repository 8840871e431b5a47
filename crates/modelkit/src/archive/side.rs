//! The model's side files inside the archive.

use super::package::Package;
use crate::read::SideFiles;
use crate::read::names::{Index, Reach};
use std::borrow::Cow;
use std::cell::RefCell;

pub struct Beside<'a> {
    package: RefCell<Package<'a>>,
    /// Folder of the model.
    folder: String,
    index: Index,
}

impl<'a> Beside<'a> {
    pub fn new(package: Package<'a>, main: &str) -> Self {
        let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
        let entries = package.entries().iter();
        Self {
            folder: folder.to_owned(),
            index: Index::new(entries.map(|entry| entry.path.as_str())),
            package: RefCell::new(package),
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.index.find(&self.folder, name, Reach::Anywhere)
    }
}

impl SideFiles for Beside<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let place = self.place(name)?;
        self.package.borrow_mut().read(place).ok().map(Cow::Owned)
    }

    fn has(&self, name: &str) -> bool {
        self.place(name).is_some()
    }
}
