//! Likeness of listings in form, extents, colours and size, by the engine's descriptors, which are looked through in memory.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

/// Bytes of a descriptor.
pub const BYTES: usize = 64;

pub type Descriptor = [u8; BYTES];

/// A descriptor as the column holds it; none where the engine made none.
pub fn descriptor(bytes: &[u8]) -> Option<Descriptor> {
    bytes.try_into().ok()
}

/// The descriptors of what is listed. Ids are kept as the numbers they write.
#[derive(Default)]
pub struct Descriptors {
    /// Places in `ids`, by the hash of the id there: a fifth of a map's memory.
    at: HashTable<u32>,
    hasher: RandomState,
    ids: Vec<u128>,
    all: Vec<Descriptor>,
}

fn number(id: &str) -> Option<u128> {
    u128::from_str_radix(id, 16).ok()
}

impl Descriptors {
    /// In place of what was known of a listing; none: it has no likeness, or is not shown.
    pub fn put(&mut self, id: &str, descriptor: Option<Descriptor>) {
        let Some(id) = number(id) else { return };
        match (self.place(id), descriptor) {
            (Some(at), Some(descriptor)) => self.all[at as usize] = descriptor,
            (None, Some(descriptor)) => {
                let at = self.ids.len() as u32;
                self.ids.push(id);
                self.all.push(descriptor);
                let Self {
                    hasher,
                    ids,
                    at: table,
                    ..
                } = self;
                let hash = |at: &u32| hasher.hash_one(ids[*at as usize]);
                table.insert_unique(hash(&at), at, hash);
            }
            (Some(at), None) => self.remove(at),
            (None, None) => {}
        }
    }

    fn place(&self, id: u128) -> Option<u32> {
        let is = |at: &u32| self.ids[*at as usize] == id;
        self.at.find(self.hasher.hash_one(id), is).copied()
    }

    /// The last takes the place of this one.
    fn remove(&mut self, at: u32) {
        let last = self.ids.len() as u32 - 1;
        for (place, next) in [(at, None), (last, Some(at))] {
            let hash = self.hasher.hash_one(self.ids[place as usize]);
            let Ok(mut entry) = self.at.find_entry(hash, |one| *one == place) else {
                continue;
            };
            match next {
                Some(next) => *entry.get_mut() = next,
                None => _ = entry.remove(),
            }
        }
        self.ids.swap_remove(at as usize);
        self.all.swap_remove(at as usize);
    }

    /// Ids of those most alike, the nearest first; itself is left out.
    pub fn near(&self, id: &str, size: usize) -> Vec<String> {
        let Some(own) = number(id).and_then(|id| self.place(id)) else {
            return Vec::new();
        };
        let wanted = &self.all[own as usize];
        let mut nearest = std::collections::BinaryHeap::with_capacity(size + 1);
        for (at, other) in self.all.iter().enumerate() {
            if at as u32 == own {
                continue;
            }
            nearest.push((distance(wanted, other), at));
            if nearest.len() > size {
                nearest.pop();
            }
        }
        let nearest = nearest.into_sorted_vec().into_iter();
        nearest
            .map(|(_, at)| format!("{:032x}", self.ids[at]))
            .collect()
    }
}

fn distance(a: &Descriptor, b: &Descriptor) -> u32 {
    a.iter()
        .zip(b)
        .map(|(a, b)| u32::from(a.abs_diff(*b)))
        .sum()
}
