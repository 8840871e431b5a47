//! Codecs written in C and C++, behind safe functions: Draco geometry, Basis Universal (KTX2), WebP and JPEG pictures,
//! RAR archives.
//!
//! All input is treated as hostile: declared sizes are checked against limits before anything is allocated, and no C++
//! exception passes into Rust.

mod basis;
mod draco;
mod film;
mod jpeg;
mod rar;
mod webp;

pub use basis::{Basis, Coding, Ktx2Info, decode_ktx2, encode_ktx2, ktx2_info};
pub use draco::{Column, Component, DracoMesh, Packed, Role, Steps, decode_draco, encode_draco};
pub use film::{Frame, WebpFilm};
pub use jpeg::{Wanted, recompress_jpeg};
pub use rar::{Rar, RarEntry};
pub use webp::{Quality, encode_webp};

/// Why a codec failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// The data is malformed.
    #[error("broken data")]
    Broken,
    /// The data needs more than the limits allow, or more memory than there is.
    #[error("too large")]
    TooLarge,
}

pub type Result<T> = std::result::Result<T, CodecError>;
