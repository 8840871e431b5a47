//! A running `xuanlan run` on free ports.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// The program's folder: data, and a frontend of one page.
pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<!doctype html>").unwrap();
    folder
}

/// Starts the program with its data in `folder`.
pub fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xuanlan"));
    command
        .args(["run", "--port", "0", "--data"])
        .arg(folder.join("data"))
        .arg("--frontend")
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// A site, killed on drop.
pub struct Site {
    child: Child,
    /// What was printed up to the end of the start.
    pub printed: String,
    out: Option<BufReader<ChildStdout>>,
}

impl Site {
    pub fn start(mut command: Command) -> Self {
        Self {
            child: command.spawn().unwrap(),
            printed: String::new(),
            out: None,
        }
    }

    /// Starts it, and returns with the line of its address.
    pub fn opened(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut printed = String::new();
        while !printed.contains("玄览云已启动") {
            let read = out.read_line(&mut printed).unwrap();
            assert!(read > 0, "it ended: {printed}");
        }
        Self {
            child,
            printed,
            out: Some(out),
        }
    }

    /// Reads on until the last line of the start.
    pub fn all_printed(&mut self) -> &str {
        let out = self.out.as_mut().unwrap();
        while !self.printed.contains("数据保存在") {
            let read = out.read_line(&mut self.printed).unwrap();
            assert!(read > 0, "it ended: {}", self.printed);
        }
        &self.printed
    }

    /// Its address on this machine, whatever name it has for others.
    pub fn address(&self) -> String {
        let (_, rest) = self.printed.split_once("玄览云已启动").unwrap();
        let printed = rest.lines().next().unwrap();
        let (_, port) = printed.rsplit_once(':').unwrap();
        format!("http://127.0.0.1:{port}")
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
