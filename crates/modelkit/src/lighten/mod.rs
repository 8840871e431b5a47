//! Lightening.
