//! Unit tests of `cli::confine`: what a job taken over by a hostile file might try. Each act runs in a process of its own,
//! which is this test binary again.

use modelkit::internals::{Common, Folders, JSON, ProgressKind, answer_signals, limit, sandbox};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output};

const ACT: &str = "MODELKIT_CONFINED_ACT";

/// Runs an act; exit code 0 means the process was confined as expected.
fn act(name: &str, folder: &Path) -> Output {
    let own = std::env::current_exe().unwrap();
    Command::new(own)
        .args([
            "--exact",
            "units::cli_confine::acts",
            "--ignored",
            "--nocapture",
            "--test-threads",
            "1",
        ])
        .env(ACT, name)
        .env("TMPDIR", folder)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn common() -> Common {
    Common {
        json: true,
        progress: ProgressKind::None,
        name: None,
        max_memory_mb: Some(256),
        max_cpu_seconds: Some(1),
        max_output_mb: Some(1),
        max_unpack_seconds: None,
        sandbox: true,
    }
}

/// The child's side of [`act`]; does nothing when run as an ordinary test.
#[test]
#[ignore = "run by the others"]
fn acts() {
    let Ok(name) = std::env::var(ACT) else { return };
    let here = std::env::current_dir().unwrap();
    JSON.store(true, std::sync::atomic::Ordering::Relaxed);
    answer_signals();
    limit(&common()).unwrap();
    let folders = Folders {
        read: vec![here.clone()],
        write: vec![here.clone()],
        memory_files: false,
    };
    sandbox(&folders).unwrap();
    let denied = |error: std::io::Error| error.kind() == ErrorKind::PermissionDenied;
    let fine = match name.as_str() {
        "map" => {
            let file = fs::File::open("large").unwrap();
            // SAFETY: no process changes the file.
            let map = unsafe { memmap2::Mmap::map(&file) }.unwrap();
            (0..4 << 30).step_by(64 << 20).all(|at| map[at] == 0) && map.len() == 4 << 30
        }
        "fork" => {
            // SAFETY: if a child is created after all, it exits at once.
            let pid = unsafe { libc::fork() };
            if pid == 0 {
                unsafe { libc::_exit(0) }
            }
            let program = Command::new("/bin/true").status().is_err_and(denied);
            pid == -1
                && program
                && std::thread::spawn(|| 7)
                    .join()
                    .is_ok_and(|seven| seven == 7)
        }
        "socket" => {
            let loopback = std::net::TcpStream::connect("127.0.0.1:9").is_err_and(denied);
            loopback && std::os::unix::net::UnixStream::connect("/none").is_err_and(denied)
        }
        "outside" => {
            let outside = here.parent().unwrap().join("other.txt");
            let wrote = fs::write(outside, "x").is_err_and(denied);
            let link = fs::write("link", "x").is_err_and(denied);
            let read = fs::read("/etc/passwd").is_err_and(denied);
            wrote && link && read && fs::write("inside.txt", "x").is_ok()
        }
        // SAFETY: signal 0 only checks the permission.
        "signal" => unsafe { libc::kill(libc::getppid(), 0) == -1 && libc::kill(1, 0) == -1 },
        "eat" => {
            let mut held = Vec::new();
            loop {
                held.push(vec![1u8; 1 << 20]);
            }
        }
        "loop" => loop {
            std::hint::black_box(0);
        },
        "write" => {
            use std::io::Write;
            let mut file = fs::File::create("much").unwrap();
            loop {
                file.write_all(&[0; 65536]).unwrap();
            }
        }
        _ => false,
    };
    std::process::exit(if fine { 0 } else { 9 });
}

fn ends(name: &str, code: i32) -> String {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("job");
    fs::create_dir(&inside).unwrap();
    std::os::unix::fs::symlink(folder.path().join("other.txt"), inside.join("link")).unwrap();
    fs::File::create(inside.join("large"))
        .unwrap()
        .set_len(4 << 30)
        .unwrap();
    let output = act(name, &inside);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        output.status.code(),
        Some(code),
        "{name}: {said} {}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(!folder.path().join("other.txt").exists());
    said
}

#[test]
fn an_input_larger_than_the_memory_may_be_mapped() {
    ends("map", 0);
}

#[test]
fn there_are_threads_but_no_processes() {
    ends("fork", 0);
}

#[test]
fn there_is_no_network() {
    ends("socket", 0);
}

#[test]
fn nothing_is_read_or_written_outside() {
    ends("outside", 0);
}

#[test]
fn other_processes_are_out_of_reach() {
    ends("signal", 0);
}

#[test]
fn memory_eaten_slowly_ends_with_a_reason() {
    assert!(ends("eat", 3).contains("内存超出上限"));
}

#[test]
fn a_loop_ends_with_a_reason() {
    assert!(ends("loop", 3).contains("处理时间超出上限"));
}

#[test]
fn too_large_an_output_ends_with_a_reason() {
    assert!(ends("write", 3).contains("输出文件超出大小上限"));
}
