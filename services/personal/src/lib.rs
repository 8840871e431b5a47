//! xuanlan-personal
