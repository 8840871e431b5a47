//! xuanlan-signature
