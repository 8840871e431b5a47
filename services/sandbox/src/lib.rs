//! xuanlan-sandbox
