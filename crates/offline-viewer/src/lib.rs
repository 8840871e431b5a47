//! The page of an offline package, built from `frontend/src/offline`.

/// Its HTML without a model, and the licences of the libraries in it.
pub type Page = (&'static str, &'static str);

/// The page; `None` in a build without the frontend.
#[cfg(built)]
pub fn page() -> Option<Page> {
    Some((
        include_str!(concat!(env!("OUT_DIR"), "/viewer.html")),
        include_str!(concat!(env!("OUT_DIR"), "/LICENSES.txt")),
    ))
}

/// The page; `None` in a build without the frontend.
#[cfg(not(built))]
pub fn page() -> Option<Page> {
    None
}
