//! What a reader meets and the scene does not hold: counted while reading, told afterwards.

use super::seen::{Seen, shown};
use crate::scene::{Problem, Scene};
use std::collections::BTreeMap;

/// Most names of what was lost in a finding.
const NAMED: usize = 6;

/// Text and advice about lights: strengths and falloff of other formats have no counterpart in glTF, where the same
/// numbers would be far too bright or dark, and pages light models themselves.
pub fn lights(count: usize, names: &str) -> (String, &'static str) {
    let colon = if names.is_empty() { "" } else { "：" };
    (
        format!("{count} 盏灯光未保留{colon}{names}"),
        "网页展示使用自己的灯光；需要固定的光照效果时，请把光照烘焙到贴图",
    )
}

/// Text and advice about bump maps beside normal maps: only one of them can be shown.
pub fn bumps(count: usize) -> (String, &'static str) {
    (
        format!("{count} 个材质既有法线贴图又有凹凸贴图，只用了法线贴图"),
        "如需两者，请在建模软件中合成一张法线贴图",
    )
}

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

    /// So many of the same object, which need no names of their own.
    pub fn add_all(&mut self, loss: K, object: (&'static str, &str, usize), times: usize) {
        if times > 0 {
            let (seen, _) = self.0.entry(loss).or_default();
            seen.add(object.0, object.1, object.2);
            seen.count += times - 1;
        }
    }

    /// Adds what another part of the same file lost.
    pub fn merge(&mut self, other: Self) {
        for (loss, (seen, names)) in other.0 {
            let (all, known) = self.0.entry(loss).or_default();
            all.merge(seen);
            for name in names {
                if known.len() < NAMED && !known.contains(&name) {
                    known.push(name);
                }
            }
        }
    }

    pub fn has(&self, loss: K) -> bool {
        self.0.contains_key(&loss)
    }

    /// The names of what was lost, as findings have them; empty if nothing was.
    pub fn names(&self, loss: K) -> String {
        let found = self.0.get(&loss);
        found.map_or_else(String::new, |(_, names)| names.join("、"))
    }

    /// Everything as findings: one for each kind, with its count, its places and the names of what was lost.
    pub fn problems(&self, finding: impl Fn(K, &Seen, &str) -> Problem) -> Vec<Problem>
    where
        K: Copy,
    {
        let all = self.0.iter();
        all.map(|(loss, (seen, names))| finding(*loss, seen, &names.join("、")))
            .collect()
    }

    /// Adds the findings to a scene.
    pub fn tell(self, scene: &mut Scene, finding: impl Fn(K, &Seen, &str) -> Problem)
    where
        K: Copy,
    {
        scene.problems.extend(self.problems(finding));
    }
}
