//! The engine as a child process: one job, its own folder, limits, no network. A hostile file can only crash its own run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use chassis::telemetry::SPANS;
use futures::StreamExt;
use serde::Deserialize;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::mpsc;
use tokio_util::codec::{FramedRead, LinesCodec};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::config::{ORNAMENT, ProcessConfig, TimeLimits};

/// Timeout of the engine's `--version`.
const VERSION_TIME: Duration = Duration::from_secs(10);

/// Maximum size of a line and of an answer of the engine, in bytes.
const MAX_LINE: usize = 64 * 1024;
const MAX_ANSWER: u64 = 16 * 1024 * 1024;
const WATCH_PERIOD: Duration = Duration::from_millis(200);

/// A line the engine writes during a run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Line {
    Progress {
        percent: f64,
        stage: String,
        message: String,
    },
    Log {
        message: String,
    },
}

/// Why a run gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The file is invalid; the message is for its owner.
    #[error("{0}")]
    BadInput(String),
    /// A limit was exceeded; the message is for the owner.
    #[error("{0}")]
    Limit(String),
    /// The engine crashed; a retry may help.
    #[error("engine fell: {0}")]
    Fell(String),
    /// The work disk is full; the file is not to blame.
    #[error("no room: {0}")]
    NoRoom(String),
    /// A stop was requested.
    #[error("stopped")]
    Stopped,
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

#[derive(Deserialize)]
struct Failure {
    error: FailureText,
}

#[derive(Deserialize)]
struct FailureText {
    #[serde(default)]
    code: String,
    message: String,
}

/// Error code of the engine when the disk is full.
const NO_SPACE: &str = "no-space";

/// The engine's version, which changes with its sources. Read from the program that runs jobs, so that reports and results of an
/// older one are not reused.
pub async fn version(config: &ProcessConfig) -> std::io::Result<String> {
    let mut command = program(config)?;
    command
        .arg("--version")
        .env_clear()
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let output = tokio::time::timeout(VERSION_TIME, command.output()).await??;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    match output.status.success() && !text.is_empty() {
        true => Ok(text),
        false => Err(std::io::Error::other("the engine tells no version")),
    }
}

/// Runs the engine with `arguments` in `folder` and returns the JSON object it printed. Lines are sent to `lines`.
pub async fn run(
    config: &ProcessConfig,
    limits: TimeLimits,
    folder: &Path,
    arguments: Vec<OsString>,
    lines: mpsc::Sender<Line>,
    stop: &CancellationToken,
) -> Result<serde_json::Value, EngineError> {
    let verb = arguments.first().map(|verb| verb.to_string_lossy());
    let span = tracing::info_span!(
        target: SPANS,
        "engine",
        otel.name = format!("engine {}", verb.unwrap_or_default()),
        pid = tracing::field::Empty,
    );
    let work = async {
        let mut child = spawn(config, limits, folder, arguments)?;
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(EngineError::Fell("no pipes".into()));
        };
        let pid = child.id();
        tracing::Span::current().record("pid", pid);
        let answer = tokio::spawn(read_answer(stdout));
        let tail = tokio::spawn(async move {
            let mut framed = FramedRead::new(stderr, LinesCodec::new_with_max_length(MAX_LINE));
            let mut tail = String::new();
            while let Some(line) = framed.next().await {
                let Ok(line) = line else { continue };
                match serde_json::from_str::<Line>(&line) {
                    // A closed receiver means that the job was given up and the child is about to be killed.
                    Ok(line) => drop(lines.send(line).await),
                    Err(_) => tail = line,
                }
            }
            tail
        });
        let status = match watch(config, limits, &mut child, pid, stop).await {
            Ok(status) => status,
            Err(error) => {
                // It may have exited already; its children may hold the pipes longer.
                let _ = child.kill().await;
                answer.abort();
                tail.abort();
                return Err(error);
            }
        };
        let tail = tail.await.unwrap_or_default();
        let answer = answer.await.unwrap_or_default();
        judge(status, &answer, &tail)
    };
    work.instrument(span).await
}

fn program(config: &ProcessConfig) -> std::io::Result<Command> {
    if !config.engine.is_empty() {
        return Ok(Command::new(&config.engine));
    }
    let mut command = Command::new(own_program()?);
    command.arg("modelkit");
    Ok(command)
}

/// The running program, even after its file was replaced by a newer one: Linux then knows it by this path only.
pub fn own_program() -> std::io::Result<PathBuf> {
    let own = std::env::current_exe()?;
    Ok(if own.exists() {
        own
    } else {
        "/proc/self/exe".into()
    })
}

fn spawn(
    config: &ProcessConfig,
    limits: TimeLimits,
    folder: &Path,
    arguments: Vec<OsString>,
) -> std::io::Result<Child> {
    let mut command = program(config)?;
    command
        .args(arguments)
        .args(["--json", "--progress", "json", "--sandbox"])
        .arg("--max-memory-mb")
        .arg(config.job_memory_mb.to_string())
        .arg("--max-cpu-seconds")
        .arg(limits.cpu.to_string())
        .arg("--max-unpack-seconds")
        .arg(limits.unpack.to_string())
        .arg("--max-output-mb")
        .arg(config.job_output_mb.to_string())
        .current_dir(folder)
        .env_clear()
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    let parent = std::process::id();
    let nice = limits.nice.min(config.most_nice);
    let unwaited = nice >= ORNAMENT;
    let session_nice = nice.to_string();
    // SAFETY: all calls are async-signal-safe and do not touch the parent's memory.
    unsafe {
        command.pre_exec(move || {
            // Die with the parent, even if it is killed; yield to the machine's services.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid().cast_unsigned() != parent {
                return Err(std::io::ErrorKind::Interrupted.into());
            }
            libc::setpriority(libc::PRIO_PROCESS, 0, nice);
            // Linux shares the processor between sessions first (sched_autogroup): niceness counts only within one. Whoever
            // watches a check-up in a browser that draws by the processor would wait for it behind that browser.
            if unwaited && libc::setsid() != -1 {
                set_session_niceness(&session_nice);
            }
            Ok(())
        });
    }
    command.spawn()
}

/// Sets the niceness of this process' session. Kernels without such groups have no such file; without privileges Linux takes
/// ten changes in a second, and a run whose change was refused is nice within its session only. Async-signal-safe.
fn set_session_niceness(nice: &str) {
    // SAFETY: the path ends with a zero byte, the buffer is as long as stated, and the descriptor is closed once.
    unsafe {
        let file = libc::open(c"/proc/self/autogroup".as_ptr(), libc::O_WRONLY);
        if file != -1 {
            libc::write(file, nice.as_ptr().cast(), nice.len());
            libc::close(file);
        }
    }
}

async fn read_answer(stdout: ChildStdout) -> Vec<u8> {
    let mut answer = Vec::new();
    let mut limited = stdout.take(MAX_ANSWER);
    // After a read error, what was read so far is judged.
    let _ = limited.read_to_end(&mut answer).await;
    answer
}

/// Waits for the exit; enforces memory and time limits and the stop request.
async fn watch(
    config: &ProcessConfig,
    limits: TimeLimits,
    child: &mut Child,
    pid: Option<u32>,
    stop: &CancellationToken,
) -> Result<ExitStatus, EngineError> {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(limits.wall);
    loop {
        tokio::select! {
            status = child.wait() => return Ok(status?),
            _ = stop.cancelled() => return Err(EngineError::Stopped),
            _ = tokio::time::sleep_until(deadline) => {
                return Err(EngineError::Limit("处理时间超过上限，请精简模型后重试".into()));
            }
            _ = tokio::time::sleep(WATCH_PERIOD) => {
                let resident = pid.and_then(resident_mb).unwrap_or(0);
                if resident > config.job_memory_mb {
                    return Err(EngineError::Limit("处理所需内存超过上限，请精简模型后重试".into()));
                }
            }
        }
    }
}

/// Memory of a process in MB, without file-backed pages: a mapped input costs nothing. Shared anonymous memory counts, since no
/// system limit covers it.
fn resident_mb(pid: u32) -> Option<u64> {
    let text = std::fs::read_to_string(PathBuf::from(format!("/proc/{pid}/status"))).ok()?;
    let kilobytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    Some((kilobytes("RssAnon:")? + kilobytes("RssShmem:")?) / 1024)
}

fn judge(status: ExitStatus, answer: &[u8], tail: &str) -> Result<serde_json::Value, EngineError> {
    let failure = serde_json::from_slice::<Failure>(answer).ok();
    let full = failure.as_ref().is_some_and(|f| f.error.code == NO_SPACE);
    let why = failure.map(|failure| failure.error.message);
    match status.code() {
        Some(0) => serde_json::from_slice(answer)
            .map_err(|error| EngineError::Fell(format!("answer is not JSON: {error}"))),
        Some(2) => Err(EngineError::BadInput(
            why.unwrap_or_else(|| "文件无法读取".into()),
        )),
        Some(3) => Err(EngineError::Limit(
            why.unwrap_or_else(|| "文件超出处理上限".into()),
        )),
        Some(_) if full => Err(EngineError::NoRoom(why.unwrap_or_default())),
        Some(code) => Err(EngineError::Fell(format!(
            "exit code {code}: {}",
            why.unwrap_or(tail.to_owned())
        ))),
        None => {
            use std::os::unix::process::ExitStatusExt;
            match status.signal() {
                Some(libc::SIGXCPU) => Err(EngineError::Limit(
                    "处理时间超过上限，请精简模型后重试".into(),
                )),
                signal => Err(EngineError::Fell(format!("signal {signal:?}: {tail}"))),
            }
        }
    }
}
