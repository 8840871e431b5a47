//! Secrets that a standalone makes for itself at its first start.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Whether `kept_secret` would find the secret and not make it.
pub fn is_kept(data_dir: &str, name: &str) -> bool {
    Path::new(data_dir).join("keys").join(name).is_file()
}

/// A secret of 32 random bytes in hex, kept in `{data_dir}/keys/{name}`; made when it is not there yet.
///
/// The file is readable by its owner only and is written before the secret is used.
pub fn kept_secret(data_dir: &str, name: &str) -> anyhow::Result<String> {
    let folder = Path::new(data_dir).join("keys");
    let path = folder.join(name);
    if let Ok(text) = std::fs::read_to_string(&path) {
        return Ok(text.trim().to_owned());
    }
    std::fs::create_dir_all(&folder)?;
    let secret = hex::encode(rand::random::<[u8; 32]>());
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    file.write_all(secret.as_bytes())?;
    file.sync_all()?;
    Ok(secret)
}
