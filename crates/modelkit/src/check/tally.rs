//! Counts one kind of finding over many places.

use crate::scene::{Problem, Severity};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Places listed by name; the others are only counted.
const NAMED: usize = 3;

#[derive(Default, Clone)]
pub struct Tally {
    /// Hashes of the places' names: parts may share one.
    places: HashSet<u64>,
    pub count: usize,
    /// All items examined, with and without the fault.
    pub total: usize,
    /// The worst places: number of faults and name.
    worst: Vec<(usize, String)>,
}

impl Tally {
    /// `count` of `total` items at a place have the fault.
    pub fn add(&mut self, count: usize, total: usize, place: impl FnOnce() -> String) {
        self.total += total;
        if count == 0 {
            return;
        }
        self.count += count;
        let name = place();
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        self.places.insert(hasher.finish());
        let known = self.worst.iter().position(|(_, other)| *other == name);
        let before = known.map_or(0, |at| self.worst.remove(at).0);
        let count = before + count;
        let last = self.worst.last().map_or(0, |(count, _)| *count);
        if self.worst.len() < NAMED || count > last {
            let at = self.worst.partition_point(|(other, _)| *other >= count);
            self.worst.insert(at, (count, name));
            self.worst.truncate(NAMED);
        }
    }

    /// The names of the worst places and the number of places.
    pub fn place(&self) -> String {
        let names: Vec<&str> = self.worst.iter().map(|(_, name)| name.as_str()).collect();
        let names = names.join("、");
        match self.places.len() {
            0..=NAMED => names,
            places => format!("{names} 等 {places} 处"),
        }
    }

    /// The share in percent, if meaningful: ` (占 12.5%)`.
    pub fn share(&self) -> String {
        if self.total <= 1 || self.count >= self.total {
            return String::new();
        }
        let percent = self.count as f64 * 100.0 / self.total as f64;
        match percent {
            p if p < 0.01 => "（占比不到 0.01%）".to_owned(),
            p if p < 1.0 => format!("（占 {p:.2}%）"),
            p => format!("（占 {p:.1}%）"),
        }
    }

    /// The finding, if anything was counted.
    pub fn problem(
        &self,
        code: &'static str,
        severity: Severity,
        message: String,
        advice: &str,
    ) -> Option<Problem> {
        let problem = Problem::new(code, severity, self.place(), message, advice);
        (self.count > 0).then(|| problem.counted(self.count, self.total))
    }
}
