"""Databases of an installation, copied while it runs and put back: SQLite and PostgreSQL."""
