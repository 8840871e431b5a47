//! Side files: textures, material libraries, buffers.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

/// Finds a file that the main file references. Names are matched tolerantly: case, backslashes, absolute paths of the
/// author's machine.
pub trait SideFiles {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>>;
}

/// No side files.
pub struct NoSideFiles;

impl SideFiles for NoSideFiles {
    fn find(&self, _name: &str) -> Option<Cow<'_, [u8]>> {
        None
    }
}

/// The main file's own folder; nothing above it is ever opened, and symbolic links that lead out of it are not
/// followed.
pub struct Folder {
    root: Option<PathBuf>,
}

/// Largest side file read from a folder.
const MOST_BYTES: u64 = 2 << 30;

impl Folder {
    pub fn beside(main: &Path) -> Folder {
        let parent = match main.parent() {
            Some(p) if !p.as_os_str().is_empty() => p.to_path_buf(),
            _ => PathBuf::from("."),
        };
        Folder {
            root: parent.canonicalize().ok(),
        }
    }

    /// Follows `parts` below the root, comparing names case-insensitively.
    fn walk(&self, parts: &[&str]) -> Option<PathBuf> {
        let root = self.root.as_ref()?;
        let mut at = root.clone();
        for part in parts {
            let exact = at.join(part);
            if exact.exists() {
                at = exact;
                continue;
            }
            let wanted = part.to_lowercase();
            let found = fs::read_dir(&at)
                .ok()?
                .flatten()
                .find(|entry| entry.file_name().to_string_lossy().to_lowercase() == wanted)?;
            at = found.path();
        }
        let real = at.canonicalize().ok()?;
        if real.starts_with(root) && real.is_file() {
            Some(real)
        } else {
            None
        }
    }
}

impl SideFiles for Folder {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let parts = clean_parts(name);
        // `C:\work\tex\a.png` → try `work/tex/a.png`, `tex/a.png`, `a.png`.
        for start in 0..parts.len() {
            if let Some(path) = self.walk(&parts[start..]) {
                if fs::metadata(&path).ok()?.len() > MOST_BYTES {
                    return None;
                }
                return fs::read(path).ok().map(Cow::Owned);
            }
        }
        None
    }
}

/// Path components of a name as authors write it: both slashes separate; `.`, `..` and drive letters are dropped.
pub fn clean_parts(name: &str) -> Vec<&str> {
    let parts = name.trim().trim_matches('"').split(['/', '\\']);
    parts
        .filter(|p| !p.is_empty() && *p != "." && *p != ".." && !p.ends_with(':'))
        .collect()
}
