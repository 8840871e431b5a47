//! `modelkit-cad`: converts STEP and IGES to triangles, for `modelkit` only, which starts it, sends the file through a
//! pipe and reads the stream of `stream.hpp` from another. A separate program: an exploit of OCCT by a hostile file is
//! contained here, and the LGPL libraries are linked with nothing else.

#[cfg(occt)]
mod occt {
    use std::ffi::{c_char, c_int};

    unsafe extern "C" {
        fn modelkit_cad_convert(kind: c_char, input: c_int, output: c_int) -> c_int;
    }

    pub fn convert(kind: u8) -> i32 {
        // SAFETY: takes plain integers; the descriptors are this process's standard input and output.
        unsafe { modelkit_cad_convert(kind as c_char, 0, 1) }
    }
}

#[cfg(not(occt))]
mod occt {
    pub fn convert(_kind: u8) -> i32 {
        modelkit::read::cad::WITHOUT_OCCT
    }
}

fn main() {
    std::process::exit(modelkit::cli::confined_reader(
        std::env::args_os(),
        occt::convert,
    ));
}
