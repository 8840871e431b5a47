//! Checked access to one archive of any format.

use super::allowance::Allowance;
use super::content::{Content, Part, Source, Spool};
use super::entry::{Entry, entry_broken};
use super::{rar, zip};
use crate::limits::Limits;
use crate::read::Mapped;
use crate::{Error, Result};
use std::borrow::Cow;

/// Where an entry's data comes from.
enum Store<'a> {
    Zip(zip::Archive<'a>),
    /// Already unpacked: these archives can only be read sequentially.
    Rar(Vec<Part>),
}

pub struct Package<'a> {
    store: Store<'a>,
    entries: Vec<Entry>,
    pub(super) allowance: Allowance,
}

impl<'a> Package<'a> {
    /// Reads the directory and rejects archives beyond the limits. Of `mapped` bytes only few are kept in memory at a
    /// time.
    pub fn open(bytes: Cow<'a, [u8]>, mapped: Mapped<'a>, limits: &Limits) -> Result<Package<'a>> {
        let allowance = Allowance::new(bytes.len(), limits);
        Package::open_within(Source::File(bytes, mapped), allowance)
    }

    /// The same within the remaining budget of an enclosing archive.
    pub(super) fn open_within(source: Source<'a>, mut allowance: Allowance) -> Result<Package<'a>> {
        let (store, entries) = if rar::is_rar(source.as_ref()) {
            let (entries, data) = rar::unpack(source.as_ref(), source.mapped(), &mut allowance)?;
            (Store::Rar(data), entries)
        } else {
            let (archive, entries) = zip::open(source, &mut allowance)?;
            (Store::Zip(archive), entries)
        };
        Ok(Package {
            store,
            entries,
            allowance,
        })
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Unpacks one entry into memory; see [`Package::unpack`].
    pub fn read(&mut self, entry: usize) -> Result<Vec<u8>> {
        self.unpack(entry).map(Content::into_vec)
    }

    /// Unpacks one entry (its index in [`Package::entries`]). The output must have the length the directory declares,
    /// and for a ZIP the right checksum.
    pub fn unpack(&mut self, entry: usize) -> Result<Content> {
        let Some(entry) = self.entries.get(entry) else {
            return Err(Error::Internal("archive entry out of range".into()));
        };
        match &mut self.store {
            Store::Zip(archive) => {
                let mut spool = Spool::default();
                zip::unpack(archive, entry, &mut self.allowance, &mut spool)?;
                spool.finish()
            }
            Store::Rar(data) => match data.get(entry.index) {
                Some((content, range)) => Ok(Content::Part(content.clone(), range.clone())),
                None => Err(entry_broken(&entry.path)),
            },
        }
    }
}
