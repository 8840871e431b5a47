//! Starts `modelkit-cad`, and waits for it within a time limit.
//! A sandboxed process cannot start programs, so it forks before it enters the sandbox: the copy waits for the file on
//! a pipe, and executes `modelkit-cad` when there is one ([`stand_by`]).

use std::ffi::{CString, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Default limit of CPU time in seconds.
const CPU_SECONDS: u64 = 900;

/// The program and its limits.
#[derive(Debug, Clone)]
pub struct Program {
    /// The program's path, then its arguments.
    pub command: Vec<OsString>,
    /// Limit of wall-clock time.
    pub patience: Duration,
}

impl Program {
    /// `modelkit-cad` in the folder of the running program, with the default limits.
    pub fn installed() -> Program {
        Program::with_limits(None, None)
    }

    pub fn with_limits(memory_mb: Option<u64>, cpu_seconds: Option<u64>) -> Program {
        let seconds = cpu_seconds.unwrap_or(CPU_SECONDS);
        let mut command = vec![
            place().into_os_string(),
            "--max-cpu-seconds".into(),
            seconds.to_string().into(),
        ];
        if let Some(mb) = memory_mb {
            command.extend(["--max-memory-mb".into(), mb.to_string().into()]);
        }
        Program {
            command,
            patience: Duration::from_secs(seconds.saturating_mul(2)),
        }
    }
}

fn place() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.with_file_name("modelkit-cad")
}

/// A forked copy of this process, waiting to execute the program.
struct Waiting {
    program: Program,
    running: Running,
}

static WAITING: Mutex<Option<Waiting>> = Mutex::new(None);

/// Prepares one start of `program` for after this process has lost the right to start others. Must be called while
/// there is only one thread.
pub fn stand_by(program: &Program) -> io::Result<()> {
    let no_nul = |_| io::Error::from(io::ErrorKind::InvalidInput);
    let words: Vec<CString> = program
        .command
        .iter()
        .map(|word| CString::new(word.as_bytes()).map_err(no_nul))
        .collect::<io::Result<_>>()?;
    let mut arguments: Vec<*const libc::c_char> = words.iter().map(|word| word.as_ptr()).collect();
    arguments.push(std::ptr::null());
    let nowhere = File::options().write(true).open("/dev/null")?;
    let (child_in, input) = pipe()?;
    let (output, child_out) = pipe()?;
    // SAFETY: the child only makes async-signal-safe calls, on memory allocated before the fork.
    let pid = unsafe {
        let pid = libc::fork();
        if pid == 0 {
            wait_then_become(
                [
                    child_in.as_raw_fd(),
                    child_out.as_raw_fd(),
                    nowhere.as_raw_fd(),
                ],
                [input.as_raw_fd(), output.as_raw_fd()],
                &arguments,
            );
        }
        pid
    };
    if pid < 0 {
        return Err(io::Error::last_os_error());
    }
    let running = Running {
        pid,
        input: Some(input.into()),
        output: output.into(),
        deadline: Instant::now(),
        ended: None,
    };
    let waiting = Waiting {
        program: program.clone(),
        running,
    };
    if let Ok(mut slot) = WAITING.lock() {
        *slot = Some(waiting);
    }
    Ok(())
}

/// The waiting copy, if any.
pub fn standing_by() -> Option<libc::pid_t> {
    let slot = WAITING.lock().ok()?;
    slot.as_ref().map(|waiting| waiting.running.pid)
}

/// Ends and reaps the waiting copy.
pub fn stand_down() {
    drop(WAITING.lock().ok().and_then(|mut slot| slot.take()));
}

/// The child's side of [`stand_by`]: makes `standard` its standard input, output and error, closes `others`, and
/// executes the program when there is something to read.
/// # Safety
/// `arguments` are C strings, the last one null. Only async-signal-safe calls are made.
unsafe fn wait_then_become(
    standard: [RawFd; 3],
    others: [RawFd; 2],
    arguments: &[*const libc::c_char],
) -> ! {
    unsafe {
        leave();
        for (to, from) in standard.into_iter().enumerate() {
            if libc::dup2(from, to as RawFd) < 0 {
                libc::_exit(127);
            }
        }
        for other in others {
            libc::close(other);
        }
        let mut wanted = libc::pollfd {
            fd: 0,
            events: libc::POLLIN,
            revents: 0,
        };
        // A pipe closed without content: the program was not needed.
        while libc::poll(&raw mut wanted, 1, -1) < 0 && *libc::__errno_location() == libc::EINTR {}
        if wanted.revents & libc::POLLIN != 0 {
            libc::execv(arguments[0], arguments.as_ptr());
        }
        libc::_exit(127);
    }
}

/// In the new process: it dies with its parent, and leads a group, so that nothing it might start outlives it and keeps
/// the pipes open.
/// # Safety
/// For a process just forked; async-signal-safe.
unsafe fn leave() {
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::setpgid(0, 0);
    }
}

/// Read end and write end, both close-on-exec.
fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: pipe2 fills two descriptors that nothing else owns.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Code(i32),
    Signal(i32),
    /// Killed by us.
    Stopped,
}

/// The running program. It is killed and reaped on drop.
pub struct Running {
    pid: libc::pid_t,
    input: Option<File>,
    output: File,
    deadline: Instant,
    ended: Option<Ended>,
}

/// The write end of the pipe for the file.
pub struct Sender(Option<File>);

impl Sender {
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            Some(pipe) => pipe.write_all(bytes),
            None => Ok(()),
        }
    }
}

impl Running {
    /// Uses the waiting copy if there is one, else a new process.
    pub fn start(program: &Program) -> io::Result<Running> {
        let waiting = WAITING.lock().ok().and_then(|mut slot| slot.take());
        let (mut running, patience) = match waiting {
            Some(waiting) => (waiting.running, waiting.program.patience),
            None => (Running::spawn(program)?, program.patience),
        };
        running.deadline = Instant::now() + patience;
        Ok(running)
    }

    fn spawn(program: &Program) -> io::Result<Running> {
        let (name, arguments) = program
            .command
            .split_first()
            .ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(name);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // SAFETY: async-signal-safe.
        unsafe {
            command.pre_exec(|| {
                leave();
                Ok(())
            });
        }
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        Ok(Running {
            pid: child.id().cast_signed(),
            input: Some(OwnedFd::from(input).into()),
            output: OwnedFd::from(output).into(),
            deadline: Instant::now(),
            ended: None,
        })
    }

    /// The pipe to the program; closed when the sender is dropped.
    pub fn take_input(&mut self) -> Sender {
        Sender(self.input.take())
    }

    /// The program's output. Reading fails with `TimedOut` at the deadline.
    pub fn output(&self) -> impl Read + '_ {
        Patient {
            pipe: &self.output,
            deadline: self.deadline,
        }
    }

    /// Kills the program, unless it has exited by itself.
    pub fn stop(&mut self) {
        if self.ended.is_none() {
            // A program that has closed its output is about to exit, and its exit code is more informative.
            let grace = Instant::now() + Duration::from_millis(500);
            let at_end = matches!(ready(&self.output, Duration::ZERO), Ok(Some(true)));
            while at_end && !self.reap(libc::WNOHANG) && Instant::now() < grace {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        if self.ended.is_none() {
            // SAFETY: the process is a child of ours that has not been reaped.
            unsafe {
                libc::kill(-self.pid, libc::SIGKILL);
                libc::kill(self.pid, libc::SIGKILL);
            }
            self.reap(0);
            self.ended = Some(Ended::Stopped);
        }
    }

    /// How it ended; waits for it.
    pub fn ended(&mut self) -> Ended {
        self.stop();
        self.ended.unwrap_or(Ended::Code(1))
    }

    fn reap(&mut self, options: libc::c_int) -> bool {
        let mut status = 0;
        loop {
            // SAFETY: waits for a child of ours, into a live integer.
            let got = unsafe { libc::waitpid(self.pid, &raw mut status, options) };
            if got == 0 {
                return false;
            }
            if got < 0 && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted {
                continue;
            }
            self.ended = Some(if got > 0 && libc::WIFSIGNALED(status) {
                Ended::Signal(libc::WTERMSIG(status))
            } else {
                Ended::Code(libc::WEXITSTATUS(status))
            });
            return true;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.input = None;
        self.stop();
    }
}

/// Waits until a pipe is readable: `None` on timeout, else whether the other side has closed it.
fn ready(pipe: &File, wait: Duration) -> io::Result<Option<bool>> {
    let mut wanted = libc::pollfd {
        fd: pipe.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    let wait = i32::try_from(wait.as_millis()).unwrap_or(i32::MAX);
    // SAFETY: polls one live structure.
    match unsafe { libc::poll(&raw mut wanted, 1, wait) } {
        0 => Ok(None),
        n if n < 0 => Err(io::Error::last_os_error()),
        _ => Ok(Some(wanted.revents & libc::POLLIN == 0)),
    }
}

/// Reads a pipe until a deadline.
struct Patient<'a> {
    pipe: &'a File,
    deadline: Instant,
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match ready(self.pipe, left)? {
            None => Err(io::ErrorKind::TimedOut.into()),
            Some(_) => self.pipe.read(buffer),
        }
    }
}
