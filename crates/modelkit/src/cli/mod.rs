//! The command line.

pub(crate) mod args;
mod check;
mod child;
mod commands;
pub(crate) mod confine;
mod delivery;
mod done;
mod growth;
mod lighten;
mod listener;
mod pack;
mod render;
mod showcase;
mod text;
mod tile;

pub use child::confined_reader;

use crate::Error;
use crate::pack::Page;
use crate::read::cad::stand_down;
use args::Cli;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the program gives to the library: what is made after it, so that a new one does not compile the engine again.
#[derive(Clone, Copy)]
pub struct Build {
    /// For example `0.1.0+8f14e45fceea167a`.
    pub version: &'static str,
    /// `None` in a build without the frontend: nothing can be packed then.
    pub page: Option<Page>,
}

/// Runs the command; `args` includes the program's name. Returns the exit code: 0 success, 1 internal error, 2 bad
/// input, 3 a limit was exceeded.
pub fn main(args: impl IntoIterator<Item = OsString>, build: Build) -> i32 {
    let parsed = Cli::command()
        .version(build.version)
        .try_get_matches_from(args)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    child::ready(&cli);
    let code = match confine::apply(&cli) {
        Ok(()) => answer(&cli, build),
        Err(error) => fail(&error, cli.common.json),
    };
    stand_down();
    code
}

fn answer(cli: &Cli, build: Build) -> i32 {
    // A panic is our bug, never the input's fault; it must still produce a proper result.
    let outcome = catch_unwind(AssertUnwindSafe(|| commands::run(cli, build)));
    match outcome {
        Ok(Ok(done)) => {
            let out = if cli.common.json {
                done.json.to_string()
            } else {
                done.text
            };
            print(&out);
            0
        }
        Ok(Err(error)) => fail(&error, cli.common.json),
        Err(_) => fail(
            &Error::Internal("处理程序意外中断，请稍后重试".into()),
            cli.common.json,
        ),
    }
}

fn print(text: &str) {
    // A closed pipe is the reader's decision, not an error of ours.
    let _ = writeln!(std::io::stdout(), "{text}");
}

fn fail(error: &Error, json: bool) -> i32 {
    if json {
        let value: Value = json!({"error": {"code": error.code(), "message": error.to_string()}});
        print(&value.to_string());
    } else {
        eprintln!("失败：{error}");
    }
    error.exit_code()
}

fn usage(error: &clap::Error) -> i32 {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        print(error.render().to_string().trim_end());
        return 0;
    }
    eprintln!("命令行参数有误，可用 --help 查看用法。\n{}", error.render());
    2
}
