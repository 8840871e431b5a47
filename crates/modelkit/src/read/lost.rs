//! What a reader meets and the scene does not hold: counted while reading, told afterwards.

use super::seen::{Seen, shown};
use crate::Error;
use crate::scene::{Problem, Scene, Severity};
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

/// Findings that say why geometry is missing.
const CAUSES: [&str; 12] = [
    "bad-indices",
    "bad-lines",
    "bad-values",
    "broken-tree",
    "hidden-skipped",
    "index-out-of-range",
    "nan-positions",
    "polygon-holes",
    "skipped-draws",
    "tangled-polygons",
    "unknown-objects",
    "unsupported-extension",
];
/// Causes that an error names.
const MOST_CAUSES: usize = 3;

/// The refusal of a file without anything to show: `what` it is that it does not have, and what is known to have been
/// left out, the gravest first; without that, `advice`.
pub fn nothing(what: &str, problems: &[Problem], advice: &str) -> Error {
    let causes = list(problems, &["unread-data"]);
    Error::EmptyModel(match causes.is_empty() {
        true => format!("{what}，{advice}"),
        false => format!("{what}，读取时发现：{causes}。请据此检查后重新导出"),
    })
}

/// What geometry was left out, as one text; empty if none was.
pub fn causes(problems: &[Problem]) -> String {
    list(problems, &[])
}

/// The messages of findings with these codes and the known causes.
fn list(problems: &[Problem], codes: &[&str]) -> String {
    // What is only worth a note is seldom geometry.
    let rank = |problem: &Problem| match problem.severity {
        Severity::Error => Some(0),
        _ if problem.code == "hidden-skipped" => Some(1),
        Severity::Warning => Some(2),
        Severity::Info => None,
    };
    let is_cause = |p: &&Problem| CAUSES.contains(&p.code) || codes.contains(&p.code);
    let known = problems.iter().filter(is_cause);
    let mut known: Vec<&Problem> = known.filter(|p| rank(p).is_some()).collect();
    known.sort_by_key(|p| rank(p));
    let texts = known.iter().take(MOST_CAUSES).map(|p| p.message.as_str());
    texts.collect::<Vec<_>>().join("；")
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
