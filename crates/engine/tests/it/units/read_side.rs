//! Unit tests of `read::side`.

use modelkit::read::{Folder, SideFiles};
use std::fs;

#[test]
fn folder_finds_tolerantly_and_stays_inside() {
    let dir = tempfile::tempdir().unwrap();
    let inside = dir.path().join("model");
    fs::create_dir_all(inside.join("Tex")).unwrap();
    fs::write(inside.join("Tex/Wood.PNG"), b"wood").unwrap();
    fs::write(dir.path().join("secret.txt"), b"secret").unwrap();
    std::os::unix::fs::symlink(dir.path().join("secret.txt"), inside.join("link.txt")).unwrap();
    let folder = Folder::beside(&inside.join("a.obj"));
    assert_eq!(folder.find("tex\\wood.png").as_deref(), Some(&b"wood"[..]));
    assert_eq!(
        folder.find("C:\\work\\Tex\\wood.png").as_deref(),
        Some(&b"wood"[..])
    );
    assert!(folder.find("../secret.txt").is_none());
    assert!(folder.find("link.txt").is_none());
    assert!(folder.find("").is_none());
}
