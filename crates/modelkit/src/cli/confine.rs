//! Limits the process puts on itself before it opens the input.

use super::args::Common;
use crate::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the signal handler answers in JSON.
static JSON: AtomicBool = AtomicBool::new(false);

pub fn apply(common: &Common) -> Result<()> {
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
        sandbox()?;
    }
    Ok(())
}

/// Limits only; what exceeds them ends as the system ends it.
pub fn limit(common: &Common) -> Result<()> {
    rlimit(libc::RLIMIT_CORE, 0, 0)?;
    if let Some(mb) = common.max_memory_mb {
        let bytes = mb.saturating_mul(1 << 20);
        rlimit(libc::RLIMIT_DATA, bytes, bytes)?;
    }
    if let Some(seconds) = common.max_cpu_seconds {
        // SIGXCPU at the soft limit, SIGKILL a little later should that not help.
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
        // A hard limit that is lower already stays.
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

/// Failed allocations abort, too much CPU time or output raises a signal: all of
/// them end in exit code 3 with an answer.
fn answer_signals() {
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
    // SAFETY: write and _exit may be called from a signal handler.
    unsafe {
        libc::write(to, text.as_ptr().cast(), text.len());
        libc::_exit(3);
    }
}

/// System calls refused with EPERM: the network, other programs, other processes.
const REFUSED: [libc::c_long; 14] = [
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_io_uring_setup,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_writev,
];

#[cfg(target_arch = "x86_64")]
const ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCH: u32 = 0xc000_00b7;

/// Gives up the network, other programs and other processes for good.
pub fn sandbox() -> Result<()> {
    let (load, equal, at_least, give) = (0x20, 0x15, 0x35, 0x06);
    let (kill, refuse, allow) = (0x8000_0000, 0x0005_0000 | libc::EPERM as u32, 0x7fff_0000);
    let op = |code: u16, jt: u8, jf: u8, k: u32| libc::sock_filter { code, jt, jf, k };
    // seccomp_data: the call's number at offset 0, the architecture at 4.
    let mut program = vec![
        op(load, 0, 0, 4),
        op(equal, 1, 0, ARCH),
        op(give, 0, 0, kill),
        op(load, 0, 0, 0),
        // Numbers from 2^30 on are the x32 ABI, which would go round the list.
        op(at_least, 0, 1, 0x4000_0000),
        op(give, 0, 0, refuse),
    ];
    for call in REFUSED {
        program.push(op(equal, 0, 1, call as u32));
        program.push(op(give, 0, 0, refuse));
    }
    program.push(op(give, 0, 0, allow));
    let filter = libc::sock_fprog {
        len: program.len() as u16,
        filter: program.as_mut_ptr(),
    };
    // SAFETY: the filter outlives the call, which copies it.
    let done = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(
                libc::PR_SET_SECCOMP,
                libc::SECCOMP_MODE_FILTER,
                &raw const filter,
            ) == 0
    };
    if done {
        Ok(())
    } else {
        Err(Error::Internal("无法启用沙箱".into()))
    }
}
