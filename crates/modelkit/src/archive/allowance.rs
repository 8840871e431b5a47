//! The remaining budget for unpacking: bytes, files, time. One for an archive and everything nested in it.

use super::content::no_room;
use super::entry;
use crate::limits::Limits;
use crate::{Error, Result};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

/// Content up to this size may have any compression ratio: an empty texture compresses a thousandfold and is harmless.
pub const HARMLESS_BYTES: u64 = 16 << 20;
/// Bytes unpacked between two checks of the clock.
const PIECE: usize = 256 << 10;

#[derive(Debug, Clone)]
pub struct Allowance {
    /// Size of the outermost archive in bytes.
    packed: u64,
    used: u64,
    files: usize,
    spent: Duration,
    depth: usize,
    limits: Limits,
}

impl Allowance {
    /// The budget for an archive of `packed` bytes.
    pub fn new(packed: usize, limits: &Limits) -> Allowance {
        Allowance {
            packed: packed as u64,
            used: 0,
            files: 0,
            spent: Duration::ZERO,
            depth: 1,
            limits: limits.clone(),
        }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Checks the nesting limit before another archive is opened.
    pub fn check_depth(&self) -> Result<()> {
        let most = self.limits.archive_depth;
        if self.depth >= most {
            return Err(Error::TooLarge(format!(
                "压缩包里套压缩包超过 {most} 层，请解开后只打包一层再上传"
            )));
        }
        Ok(())
    }

    /// The budget for an archive one level deeper.
    pub fn deeper(&self) -> Allowance {
        Allowance {
            depth: self.depth + 1,
            ..self.clone()
        }
    }

    /// Takes over what a nested archive has used.
    pub fn and_then(&mut self, inner: &Allowance) {
        (self.used, self.files, self.spent) = (inner.used, inner.files, inner.spent);
    }

    /// Counts the files of an archive's directory.
    pub fn add_files(&mut self, count: usize) -> Result<()> {
        self.files = self.files.saturating_add(count);
        Limits::check("压缩包内文件", self.files, self.limits.archive_entries)
    }

    /// Checks that `total` bytes are still within the budget.
    pub fn check_total(&self, total: u64) -> Result<()> {
        let total = total.saturating_add(self.used);
        if total > self.limits.archive_bytes {
            return Err(Error::TooLarge(format!(
                "压缩包解开后有 {} MB，超出上限 {} MB，请拆分后上传",
                total >> 20,
                self.limits.archive_bytes >> 20
            )));
        }
        Ok(())
    }

    /// Checks that the ratio of `size` to `packed` bytes is plausible.
    pub fn check_ratio(&self, path: &str, size: u64, packed: u64) -> Result<()> {
        if size > HARMLESS_BYTES && size / packed.max(1) > self.limits.archive_ratio {
            return Err(Error::TooLarge(format!(
                "压缩包里的 {path} 压缩比异常（解开后 {} MB），已停止处理",
                size >> 20
            )));
        }
        Ok(())
    }

    /// Unpacks `from` into `to`: the entry at `path`, of the declared `size`.
    pub fn unpack(
        &mut self,
        path: &str,
        size: u64,
        from: &mut dyn Read,
        to: &mut dyn Write,
    ) -> Result<()> {
        if size > self.most() {
            return Err(entry::entry_too_large(path));
        }
        if self.pour(path, size, from, to)? != size {
            return Err(entry::entry_broken(path));
        }
        Ok(())
    }

    /// Unpacks `from`, whose size nothing states, into `to`.
    pub fn unpack_unsized(
        &mut self,
        path: &str,
        from: &mut dyn Read,
        to: &mut dyn Write,
    ) -> Result<()> {
        let most = self.most();
        let over = most.saturating_add(1);
        match self.pour(path, over, &mut from.take(over), to)? > most {
            true => Err(entry::entry_too_large(path)),
            false => Ok(()),
        }
    }

    /// Most bytes of a file.
    fn most(&self) -> u64 {
        let left = self.limits.archive_bytes.saturating_sub(self.used);
        self.limits.file_bytes.min(left)
    }

    /// Copies at most `size` bytes; more is an error. Returns how many there were.
    fn pour(
        &mut self,
        path: &str,
        size: u64,
        from: &mut dyn Read,
        to: &mut dyn Write,
    ) -> Result<u64> {
        let room = usize::try_from(size).unwrap_or(PIECE).saturating_add(1);
        let mut piece = vec![0; PIECE.min(room)];
        let mut got = 0u64;
        loop {
            let began = Instant::now();
            let read = from.read(&mut piece);
            self.spent += began.elapsed();
            let bytes = match read {
                Ok(0) => break,
                Ok(read) => piece.get(..read).unwrap_or_default(),
                Err(_) => return Err(entry::entry_broken(path)),
            };
            got += bytes.len() as u64;
            self.used += bytes.len() as u64;
            if got > size {
                return Err(entry::entry_broken(path));
            }
            // Nested archives multiply the ratio; the total is compared with the outermost file.
            self.check_ratio(path, self.used, self.packed)?;
            self.check_time()?;
            to.write_all(bytes).map_err(|e| no_room(&e))?;
        }
        Ok(got)
    }

    fn check_time(&self) -> Result<()> {
        let most = self.limits.archive_seconds;
        if self.spent > Duration::from_secs(most) {
            return Err(Error::Limit(format!(
                "解压用时超过上限 {most} 秒，请减少压缩包里的文件，或用普通压缩方式重新打包成 ZIP 后上传"
            )));
        }
        Ok(())
    }
}
