//! Git LFS: what stands in a repository for a large file (git-lfs, `docs/spec.md`). Downloads of repositories without
//! LFS have it under the file's own name.

use crate::Error;

/// Starts of a pointer's first line; the second is from before the first release.
const FIRST_LINES: [&[u8]; 2] = [
    b"version https://git-lfs.github.com/spec/",
    b"version https://hawser.github.com/spec/",
];

/// What a pointer is, and what to do.
pub const REASON: &str = "这是 Git LFS 指针文件，不是文件本身，请在仓库里运行 git lfs pull（或在网页上下载原文件）取得真正的文件";

pub fn is_pointer(bytes: &[u8]) -> bool {
    FIRST_LINES.iter().any(|line| bytes.starts_with(line))
}

/// Of a model's main file.
pub fn refusal() -> Error {
    Error::corrupt(
        "这是 Git LFS 指针文件，不是模型本身，请在仓库里运行 git lfs pull（或在网页上下载原文件），再上传真正的模型文件",
    )
}
