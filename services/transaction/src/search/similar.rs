//! Likeness of listings in form, extents, colours and size, by the engine's descriptors, which are looked through in memory.

use std::collections::HashMap;

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
    at: HashMap<u128, u32>,
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
        match (self.at.get(&id).copied(), descriptor) {
            (Some(at), Some(descriptor)) => self.all[at as usize] = descriptor,
            (None, Some(descriptor)) => {
                self.at.insert(id, self.ids.len() as u32);
                self.ids.push(id);
                self.all.push(descriptor);
            }
            (Some(at), None) => {
                self.at.remove(&id);
                self.ids.swap_remove(at as usize);
                self.all.swap_remove(at as usize);
                if let Some(moved) = self.ids.get(at as usize) {
                    self.at.insert(*moved, at);
                }
            }
            (None, None) => {}
        }
    }

    /// Ids of those most alike, the nearest first; itself is left out.
    pub fn near(&self, id: &str, size: usize) -> Vec<String> {
        let Some(own) = number(id).and_then(|id| self.at.get(&id)) else {
            return Vec::new();
        };
        let wanted = &self.all[*own as usize];
        let mut nearest = std::collections::BinaryHeap::with_capacity(size + 1);
        for (at, other) in self.all.iter().enumerate() {
            if at as u32 == *own {
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
