"""Databases of an installation, copied while it runs, and restored: SQLite and PostgreSQL."""
