//! Where in a file something was seen, as findings have it.

/// Most places that a finding names.
const NAMED: usize = 3;

/// Where something was seen: `材质 木头、铁`.
#[derive(Debug, Default)]
pub struct Seen {
    /// What the first places are called, and what kind of object they are.
    kind: &'static str,
    names: Vec<String>,
    /// All places.
    pub count: usize,
}

impl Seen {
    /// Adds an object; `number` stands for a missing name.
    pub fn add(&mut self, kind: &'static str, name: &str, number: usize) {
        self.count += 1;
        if self.names.is_empty() {
            self.kind = kind;
        }
        if self.kind != kind || self.names.len() >= NAMED {
            return;
        }
        let name = match name.is_empty() {
            true => format!("第 {} 个", number + 1),
            false => shown(name),
        };
        if !self.names.contains(&name) {
            self.names.push(name);
        }
    }

    /// Adds what was seen in another part of the same file.
    pub fn merge(&mut self, other: Seen) {
        self.count += other.count;
        if self.names.is_empty() {
            self.kind = other.kind;
        }
        if self.kind == other.kind {
            for name in other.names {
                if self.names.len() < NAMED && !self.names.contains(&name) {
                    self.names.push(name);
                }
            }
        }
    }

    /// As a finding has it; empty for the file as a whole.
    pub fn place(&self) -> String {
        match self.kind {
            "" => String::new(),
            kind => format!("{kind} {}", self.names.join("、")),
        }
    }
}

/// A string of the file, fit for a message.
pub fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}
