//! A folder of files; hidden files and files outside it are not found.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A folder that files are served from.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// `None` for an empty path. Errors: the folder does not exist.
    pub fn open(path: &str) -> anyhow::Result<Option<Self>> {
        if path.is_empty() {
            return Ok(None);
        }
        let root = std::fs::canonicalize(path)
            .map_err(|error| anyhow::anyhow!("folder {path} cannot be served: {error}"))?;
        Ok(Some(Self { root }))
    }

    /// The content of a file for a URL path.
    pub fn read(&self, address_path: &str) -> Option<Vec<u8>> {
        let found = Found::at(&self.root, &relative(address_path)?)?;
        std::fs::read(found.path).ok()
    }

    /// The text of a file for a URL path.
    pub(crate) async fn text(&self, address_path: &str) -> Option<String> {
        let found = self.find(address_path).await?;
        tokio::fs::read_to_string(found.path).await.ok()
    }

    /// The file for a URL path; `None` if there is none, or if it is outside the folder or hidden.
    pub(super) async fn find(&self, address_path: &str) -> Option<Found> {
        let relative = relative(address_path)?;
        let root = self.root.clone();
        // File systems may be slow; this does not block the worker.
        tokio::task::spawn_blocking(move || Found::at(&root, &relative))
            .await
            .ok()?
    }
}

/// The relative path for a URL path.
fn relative(address_path: &str) -> Option<PathBuf> {
    let decoded = percent_encoding::percent_decode_str(address_path)
        .decode_utf8()
        .ok()?;
    let mut path = PathBuf::new();
    for segment in decoded.split('/') {
        if segment.is_empty() {
            continue;
        }
        // Hidden files, `..`, and separators of other systems.
        if segment.starts_with('.') || segment.contains(['\\', '\0', ':']) {
            return None;
        }
        path.push(segment);
    }
    Some(path)
}

/// A file that may be served.
#[derive(Debug)]
pub(super) struct Found {
    pub path: PathBuf,
    pub size: u64,
    /// Seconds since 1970.
    pub modified: u64,
}

impl Found {
    fn at(root: &Path, relative: &Path) -> Option<Self> {
        // Links out of the folder are resolved here and refused below.
        let path = std::fs::canonicalize(root.join(relative)).ok()?;
        let data = std::fs::metadata(&path).ok()?;
        if !path.starts_with(root) || !data.is_file() {
            return None;
        }
        let modified = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(Self {
            path,
            size: data.len(),
            modified: modified.as_secs(),
        })
    }

    pub fn etag(&self, encoding: &str) -> String {
        format!("\"{:x}-{:x}{encoding}\"", self.modified, self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_stay_below_the_folder() {
        assert_eq!(relative("/assets/a.js"), Some(PathBuf::from("assets/a.js")));
        assert_eq!(relative("//a//b"), Some(PathBuf::from("a/b")));
        for bad in [
            "/../etc/passwd",
            "/a/../../b",
            "/%2e%2e/etc/passwd",
            "/a/%2E%2E%2Fb",
            "/.env",
            "/a/.git/config",
            "/a%5c..%5cb",
            "/a%00b",
            "/%ff",
        ] {
            assert_eq!(relative(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::NamedTempFile::new().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        std::os::unix::fs::symlink(outside.path(), root.join("link")).unwrap();
        std::fs::write(root.join("inside"), "x").unwrap();
        assert!(Found::at(&root, Path::new("link")).is_none());
        assert!(Found::at(&root, Path::new("inside")).is_some());
        assert!(Found::at(&root, Path::new("")).is_none());
    }
}
