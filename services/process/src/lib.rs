//! xuanlan-process
