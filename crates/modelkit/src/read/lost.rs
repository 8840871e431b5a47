//! What a reader meets and the scene does not hold: counted while reading, told afterwards.

use super::seen::{Seen, shown};
use crate::scene::{Problem, Scene};
use std::collections::BTreeMap;

/// Most names of what was lost in a finding.
const NAMED: usize = 6;

/// Losses by kind, with their places and what they are about. Each format has its own kinds.
pub struct Losses<K>(BTreeMap<K, (Seen, Vec<String>)>);

impl<K> Default for Losses<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord> Losses<K> {
    /// Something lost of an object of this kind, name and number; `what` is its own name.
    pub fn add(&mut self, loss: K, object: (&'static str, &str, usize), what: &str) {
        let (seen, names) = self.0.entry(loss).or_default();
        let (kind, name, number) = object;
        seen.add(kind, name, number);
        if names.len() < NAMED && !what.is_empty() {
            let what = shown(what);
            if !names.contains(&what) {
                names.push(what);
            }
        }
    }

    /// Turns everything into findings: one for each kind, with its count, its places and the names of what was lost.
    pub fn tell(self, scene: &mut Scene, finding: impl Fn(K, &Seen, &str) -> Problem) {
        for (loss, (seen, names)) in self.0 {
            scene.note(finding(loss, &seen, &names.join("、")));
        }
    }
}
