"""What an installation consists of, copied while it runs, and restored: databases on SQLite or PostgreSQL, objects, other files."""


class Trouble(Exception):
    """An error reported to the user."""

    #: Exit code of the program.
    status = 1
