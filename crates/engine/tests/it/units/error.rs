//! Unit tests of `error`.

use modelkit::Error;
use std::path::Path;

#[test]
fn a_full_disk_is_distinguished() {
    let full = std::io::Error::from_raw_os_error(libc::ENOSPC);
    let error = Error::io(Path::new("/secret/model.glb"), &full);
    assert_eq!((error.code(), error.exit_code()), ("no-space", 1));
    assert!(!error.to_string().contains("secret"), "{error}");
    let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
    let error = Error::io(Path::new("model.glb"), &denied);
    assert_eq!((error.code(), error.exit_code()), ("internal", 1));
}
