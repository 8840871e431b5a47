//! xuanlan-auth
