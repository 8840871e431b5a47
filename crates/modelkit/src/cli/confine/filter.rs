//! System calls the process gives up, as a seccomp filter.

use crate::{Error, Result};

/// Fail with EPERM: the network, other programs, other processes' memory, and anything that could change the sandbox.
const REFUSED: [libc::c_long; 28] = [
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
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_tkill,
    // Memory that no limit accounts for.
    libc::SYS_shmget,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_chroot,
];

#[cfg(target_arch = "x86_64")]
const ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCH: u32 = 0xc000_00b7;

const LOAD: u16 = 0x20;
const EQUAL: u16 = 0x15;
const AT_LEAST: u16 = 0x35;
const HAS_BITS: u16 = 0x45;
const GIVE: u16 = 0x06;

const KILL: u32 = 0x8000_0000;
const ALLOW: u32 = 0x7fff_0000;
const REFUSE: u32 = 0x0005_0000 | libc::EPERM as u32;
/// Fails as if the kernel did not implement the call.
const UNKNOWN: u32 = 0x0005_0000 | libc::ENOSYS as u32;

/// Offsets in `seccomp_data`: the system call number, the architecture, the low half of the first argument.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENT: u32 = 16;

fn op(code: u16, jt: u8, jf: u8, k: u32) -> libc::sock_filter {
    libc::sock_filter { code, jt, jf, k }
}

fn refuse(program: &mut Vec<libc::sock_filter>, call: libc::c_long, answer: u32) {
    program.push(op(EQUAL, 0, 1, call as u32));
    program.push(op(GIVE, 0, 0, answer));
}

/// Refuses `call` unless its first argument is one of `values`.
fn allow_for(program: &mut Vec<libc::sock_filter>, call: libc::c_long, values: &[u32]) {
    program.push(op(EQUAL, 0, 2 + 2 * values.len() as u8, call as u32));
    program.push(op(LOAD, 0, 0, ARGUMENT));
    for value in values {
        program.push(op(EQUAL, 0, 1, *value));
        program.push(op(GIVE, 0, 0, ALLOW));
    }
    program.push(op(GIVE, 0, 0, REFUSE));
}

/// Installs the filter. Signals may only be sent to this process, and to `child` and its group. `memory_files` permits
/// memfd files, of which only each one's size is limited.
pub fn install(child: Option<libc::pid_t>, memory_files: bool) -> Result<()> {
    let mut program = vec![
        op(LOAD, 0, 0, ARCHITECTURE),
        op(EQUAL, 1, 0, ARCH),
        op(GIVE, 0, 0, KILL),
        op(LOAD, 0, 0, NUMBER),
        // Numbers from 2^30 belong to the x32 ABI, which would bypass the list.
        op(AT_LEAST, 0, 1, 0x4000_0000),
        op(GIVE, 0, 0, REFUSE),
    ];
    for call in REFUSED {
        refuse(&mut program, call, REFUSE);
    }
    if !memory_files {
        refuse(&mut program, libc::SYS_memfd_create, REFUSE);
    }
    #[cfg(target_arch = "x86_64")]
    for call in [libc::SYS_fork, libc::SYS_vfork] {
        refuse(&mut program, call, REFUSE);
    }
    // Threads are permitted, processes are not. The flags of clone3 are in memory, which a filter cannot read; without
    // it libc falls back to clone.
    refuse(&mut program, libc::SYS_clone3, UNKNOWN);
    program.push(op(EQUAL, 0, 4, libc::SYS_clone as u32));
    program.push(op(LOAD, 0, 0, ARGUMENT));
    program.push(op(HAS_BITS, 0, 1, libc::CLONE_THREAD as u32));
    program.push(op(GIVE, 0, 0, ALLOW));
    program.push(op(GIVE, 0, 0, REFUSE));
    let own = std::process::id();
    allow_for(&mut program, libc::SYS_tgkill, &[own]);
    let mut reached = vec![own];
    reached.extend(child.into_iter().flat_map(|pid| [pid as u32, -pid as u32]));
    allow_for(&mut program, libc::SYS_kill, &reached);
    program.push(op(GIVE, 0, 0, ALLOW));
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
    match done {
        true => Ok(()),
        false => Err(Error::Internal("无法启用沙箱".into())),
    }
}
