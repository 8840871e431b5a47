//! File system access, restricted with Landlock. On a kernel without it the file system stays open: the other limits do
//! not depend on it.

use crate::cli::args::Command;
use crate::{Error, Result};
use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr,
};
use std::path::{Path, PathBuf};

/// Files from which the number of threads is determined.
const SYSTEM: [&str; 2] = ["/proc/self", "/sys/fs/cgroup"];

/// Folders (or files) and the access granted to them.
#[derive(Debug, Default, PartialEq)]
pub struct Folders {
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
    /// Permits memfd files, for a library that only reads files.
    pub memory_files: bool,
}

impl Folders {
    /// For a process that needs only its pipes; other output is discarded.
    pub fn none() -> Folders {
        Folders {
            read: Vec::new(),
            write: vec![PathBuf::from("/dev/null")],
            memory_files: true,
        }
    }

    /// The folders a command needs: those of its input, its outputs and temporary files.
    pub fn of(command: &Command) -> Folders {
        let (inputs, outputs): (Vec<&Path>, Vec<&Path>) = match command {
            Command::Info { input } => (vec![input], vec![]),
            Command::Check {
                input,
                preview,
                thumb,
                proxy,
                ..
            } => {
                let outputs = preview
                    .iter()
                    .chain(thumb)
                    .chain(proxy)
                    .map(PathBuf::as_path);
                (vec![input], outputs.collect())
            }
            Command::Pack {
                input,
                output,
                preview,
                ..
            } => {
                let outputs = preview.iter().chain([output]).map(PathBuf::as_path);
                (vec![input], outputs.collect())
            }
            Command::Lighten { input, output, .. }
            | Command::Convert { input, output, .. }
            | Command::Proxy { input, output, .. }
            | Command::Tile { input, output, .. }
            | Command::Render { input, output, .. }
            | Command::Showcase { input, output, .. } => (vec![input], vec![output]),
            Command::Sample { output, .. } => {
                (vec![], output.iter().map(PathBuf::as_path).collect())
            }
        };
        let mut folders = Folders::default();
        folders.read.extend(SYSTEM.map(PathBuf::from));
        for input in inputs {
            // Side files are beside a file, and within a folder.
            let whole = if input.is_dir() {
                input.to_path_buf()
            } else {
                beside(input)
            };
            folders.read.push(whole);
        }
        folders.write.extend(outputs.into_iter().map(beside));
        folders.write.push(std::env::temp_dir());
        folders
    }
}

fn beside(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// Denies access to everything but `folders`.
pub fn raise(folders: &Folders) -> Result<()> {
    build(folders).map_err(|_| Error::Internal("无法启用沙箱".into()))
}

fn build(folders: &Folders) -> std::result::Result<(), landlock::RulesetError> {
    let abi = ABI::V3;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        .create()?;
    let read = (&folders.read, AccessFs::from_read(abi) & !AccessFs::Execute);
    let write = (&folders.write, AccessFs::from_all(abi) & !AccessFs::Execute);
    for (paths, access) in [read, write] {
        for path in paths {
            // A missing folder is not accessible either.
            let Ok(place) = PathFd::new(path) else {
                continue;
            };
            let access = if path.is_dir() {
                access
            } else {
                access & AccessFs::from_file(abi)
            };
            rules = rules.add_rule(PathBeneath::new(place, access))?;
        }
    }
    rules.restrict_self()?;
    Ok(())
}
