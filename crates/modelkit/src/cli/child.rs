//! The program `modelkit-cad`: forked before the sandbox is entered, and its own entry point.

use super::args::{Cli, Command, Common};
use super::confine;
use crate::read::cad::{Program, stand_by};
use clap::Parser;
use std::ffi::OsString;

/// Inside the sandbox no program can be started, so the one that may be needed is forked beforehand.
pub fn ready(cli: &Cli) {
    let common = &cli.common;
    if common.sandbox && !matches!(cli.command, Command::Sample { .. }) {
        let program = Program::with_limits(common.max_memory_mb, common.max_cpu_seconds);
        // If this fails, all other formats can still be read; STEP and IGES report what is missing.
        let _ = stand_by(&program);
    }
}

#[derive(Parser)]
#[command(
    name = "modelkit-cad",
    version,
    about = "把 STEP、IGES 转换为三角网格；由 modelkit 启动，不直接使用"
)]
struct Arguments {
    #[command(flatten)]
    common: Common,
}

/// Runs `modelkit-cad`: sets limits, gives up everything but its two pipes, and lets `convert` read standard input from
/// its second byte; the first one selects the format. Returns the exit code.
pub fn confined_reader(args: impl IntoIterator<Item = OsString>, convert: fn(u8) -> i32) -> i32 {
    let arguments = match Arguments::try_parse_from(args) {
        Ok(arguments) => arguments,
        Err(error) => return super::usage(&error),
    };
    if let Err(error) =
        confine::limit(&arguments.common).and_then(|()| confine::sandbox(&confine::Folders::none()))
    {
        return super::fail(&error, false);
    }
    let mut kind = [0u8];
    // SAFETY: reads one byte into a live array. Unbuffered, because the rest is for `convert`.
    let got = unsafe { libc::read(0, kind.as_mut_ptr().cast(), 1) };
    if got == 1 { convert(kind[0]) } else { 1 }
}
