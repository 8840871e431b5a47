//! Sessions that have ended: what was issued to them is refused for as long as it would live.
//!
//! `root/ended-sessions` has a line for each: Unix time in milliseconds, and its id. Each line begins with its line feed, so
//! one that a full disk or a power failure cut short spoils no other.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};

use super::record::{now_ms, sync_folder};
use super::{joined, lock};
use crate::credential::{MAX_LINK_LIFE, Revoker};
use crate::error::{Result, StoreError};

/// How long an end is remembered: the longest life of a link, and ten minutes in which a gateway that has not heard of the end
/// may still have one issued.
const KEEP_MS: i64 = MAX_LINK_LIFE.as_millis() as i64 + 10 * 60_000;
/// Longest session id.
const MAX_ID: usize = 64;

/// The sessions, in memory and on disk.
pub(crate) struct Revoked {
    path: PathBuf,
    ended: RwLock<HashMap<String, i64>>,
    /// Appended to; one writer at a time.
    file: Mutex<File>,
}

impl Revoked {
    /// Reads what a previous process has left.
    pub(super) fn open(root: &Path) -> Result<Self> {
        let path = root.join("ended-sessions");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error.into()),
        };
        let mut ended: HashMap<String, i64> = text.lines().filter_map(read_line).collect();
        forget_old(&mut ended, now_ms());
        Ok(Self {
            file: Mutex::new(rewritten(&path, &ended)?),
            ended: RwLock::new(ended),
            path,
        })
    }

    /// Whether a session has ended. An empty id is no session.
    pub(crate) fn contains(&self, session: &str) -> bool {
        let ended = self.ended.read().unwrap_or_else(PoisonError::into_inner);
        !session.is_empty() && ended.contains_key(session)
    }

    /// Durable when this returns; effective in any case. Blocks on the disk.
    pub(crate) fn add(&self, sessions: Vec<String>) -> Result<()> {
        if !sessions.iter().all(|id| is_id(id)) {
            return Err(StoreError::InvalidArgument(
                "session ids have 1 to 64 letters, digits, _ or -".into(),
            ));
        }
        let now = now_ms();
        let lines: String = sessions.iter().map(|id| line(id, now)).collect();
        let mut file = lock(&self.file);
        let mut ended = self.ended.write().unwrap_or_else(PoisonError::into_inner);
        ended.extend(sessions.into_iter().map(|id| (id, now)));
        drop(ended);
        file.write_all(lines.as_bytes())?;
        file.sync_data()?;
        Ok(())
    }

    /// Forgets those of which nothing can live any more.
    pub(super) fn sweep(&self) -> Result<()> {
        let mut file = lock(&self.file);
        let left = {
            let mut ended = self.ended.write().unwrap_or_else(PoisonError::into_inner);
            forget_old(&mut ended, now_ms());
            ended.clone()
        };
        *file = rewritten(&self.path, &left)?;
        Ok(())
    }
}

/// The issuer of the same process reports here.
#[async_trait::async_trait]
impl Revoker for super::Disk {
    async fn revoke(&self, sessions: Vec<String>) -> Result<()> {
        let revoked = self.revoked.clone();
        joined(tokio::task::spawn_blocking(move || revoked.add(sessions))).await
    }
}

fn is_id(id: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=MAX_ID).contains(&id.len()) && id.bytes().all(known)
}

fn line(id: &str, at: i64) -> String {
    format!("\n{at} {id}")
}

fn read_line(line: &str) -> Option<(String, i64)> {
    let (at, id) = line.split_once(' ')?;
    Some((id.to_owned(), at.parse().ok()?))
}

fn forget_old(ended: &mut HashMap<String, i64>, now: i64) {
    ended.retain(|_, at| *at > now - KEEP_MS);
}

/// Replaces the file at once by one with these, open at its end.
fn rewritten(path: &Path, ended: &HashMap<String, i64>) -> Result<File> {
    let temporary = path.with_extension("new");
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(true)
        .open(&temporary)?;
    let lines: String = ended.iter().map(|(id, at)| line(id, *at)).collect();
    file.write_all(lines.as_bytes())?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    if let Some(folder) = path.parent() {
        sync_folder(folder)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_remembered_for_as_long_as_a_link_can_live() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ended-sessions");
        let now = now_ms();
        let (old, young) = (now - KEEP_MS - 1, now - KEEP_MS + 60_000);
        // The last line was cut short.
        fs::write(&path, format!("\n{old} old\n{young} young\n{now}")).unwrap();
        let revoked = Revoked::open(folder.path()).unwrap();
        revoked.add(vec!["new".into()]).unwrap();
        for (id, ended) in [("old", false), ("young", true), ("new", true), ("", false)] {
            assert_eq!(revoked.contains(id), ended, "{id}");
        }
        revoked.sweep().unwrap();
        revoked.add(vec!["newer".into()]).unwrap();
        drop(revoked);
        let again = Revoked::open(folder.path()).unwrap();
        for (id, ended) in [
            ("old", false),
            ("young", true),
            ("new", true),
            ("newer", true),
        ] {
            assert_eq!(again.contains(id), ended, "{id}");
        }
        let spoiling = vec!["a\n1 b".into()];
        assert!(again.add(spoiling).is_err());
    }
}
