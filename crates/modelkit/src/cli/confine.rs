//! Limits the process sets on itself before it opens the input.

mod fence;
mod filter;

use super::args::{Cli, Common};
use crate::{Error, Result};
pub use fence::Folders;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the signal handler prints JSON.
pub static JSON: AtomicBool = AtomicBool::new(false);

pub fn apply(cli: &Cli) -> Result<()> {
    let common = &cli.common;
    JSON.store(common.json, Ordering::Relaxed);
    let any = common
        .max_memory_mb
        .or(common.max_cpu_seconds)
        .or(common.max_output_mb);
    if any.is_none() && !common.sandbox {
        return Ok(());
    }
    answer_signals();
    limit(common)?;
    if common.sandbox {
        sandbox(&Folders::of(&cli.command))?;
    }
    Ok(())
}

/// Gives up the network, other programs, other processes and all folders but `folders`, permanently.
pub fn sandbox(folders: &Folders) -> Result<()> {
    fence::raise(folders)?;
    filter::install(crate::read::cad::standing_by(), folders.memory_files)
}

/// Sets limits only; exceeding one ends the process as the system does.
pub fn limit(common: &Common) -> Result<()> {
    rlimit(libc::RLIMIT_CORE, 0, 0)?;
    if let Some(mb) = common.max_memory_mb {
        let bytes = mb.saturating_mul(1 << 20);
        rlimit(libc::RLIMIT_DATA, bytes, bytes)?;
    }
    if let Some(seconds) = common.max_cpu_seconds {
        // SIGXCPU at the soft limit, SIGKILL two seconds later as a fallback.
        rlimit(libc::RLIMIT_CPU, seconds, seconds.saturating_add(2))?;
    }
    if let Some(mb) = common.max_output_mb {
        let bytes = mb.saturating_mul(1 << 20);
        rlimit(libc::RLIMIT_FSIZE, bytes, bytes)?;
    }
    Ok(())
}

fn rlimit(which: libc::__rlimit_resource_t, soft: u64, hard: u64) -> Result<()> {
    let mut old = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: plain calls with pointers to live structures.
    unsafe {
        if libc::getrlimit(which, &raw mut old) != 0 {
            return Err(Error::Internal("无法读取资源上限".into()));
        }
        // A lower hard limit stays.
        let new = libc::rlimit {
            rlim_cur: soft.min(old.rlim_max),
            rlim_max: hard.min(old.rlim_max),
        };
        if libc::setrlimit(which, &raw const new) != 0 {
            return Err(Error::Internal("无法设置资源上限".into()));
        }
    }
    Ok(())
}

/// Failed allocations abort; too much CPU time or output raises a signal: each ends in exit code 3 with a message.
pub fn answer_signals() {
    let handler = on_signal as extern "C" fn(libc::c_int);
    for signal in [libc::SIGABRT, libc::SIGXCPU, libc::SIGXFSZ] {
        // SAFETY: the handler only calls async-signal-safe functions.
        unsafe {
            libc::signal(signal, handler as libc::sighandler_t);
        }
    }
}

extern "C" fn on_signal(signal: libc::c_int) {
    let text: &[u8] = match signal {
        libc::SIGXCPU => "{\"error\":{\"code\":\"limit\",\"message\":\"处理时间超出上限，请先减面或拆分模型后重试\"}}\n".as_bytes(),
        libc::SIGXFSZ => "{\"error\":{\"code\":\"limit\",\"message\":\"输出文件超出大小上限，请先减面或拆分模型后重试\"}}\n".as_bytes(),
        _ => "{\"error\":{\"code\":\"limit\",\"message\":\"处理所需内存超出上限，请先减面或拆分模型后重试\"}}\n".as_bytes(),
    };
    let to = if JSON.load(Ordering::Relaxed) { 1 } else { 2 };
    // SAFETY: write and _exit are async-signal-safe.
    unsafe {
        libc::write(to, text.as_ptr().cast(), text.len());
        libc::_exit(3);
    }
}
