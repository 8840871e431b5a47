//! The model's side files inside the archive.

use super::package::Package;
use crate::read::SideFiles;
use crate::read::names::{Index, Reach};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

pub struct Beside<'a> {
    package: RefCell<Package<'a>>,
    /// Folder of the model.
    folder: String,
    index: Index,
    /// Why entries could not be unpacked.
    failed: RefCell<BTreeMap<usize, String>>,
}

impl<'a> Beside<'a> {
    pub fn new(package: Package<'a>, main: &str) -> Self {
        let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
        let entries = package.entries().iter();
        Self {
            folder: folder.to_owned(),
            index: Index::new(entries.map(|entry| entry.path.as_str())),
            package: RefCell::new(package),
            failed: RefCell::default(),
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.index.find(&self.folder, name, Reach::Anywhere)
    }
}

impl SideFiles for Beside<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let place = self.place(name)?;
        match self.package.borrow_mut().read(place) {
            Ok(bytes) => Some(Cow::Owned(bytes)),
            Err(error) => {
                let mut failed = self.failed.borrow_mut();
                failed.insert(place, error.to_string());
                None
            }
        }
    }

    fn refusal(&self, name: &str) -> Option<String> {
        self.failed.borrow().get(&self.place(name)?).cloned()
    }

    fn has(&self, name: &str) -> bool {
        self.place(name).is_some()
    }
}
