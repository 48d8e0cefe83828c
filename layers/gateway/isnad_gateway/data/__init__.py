"""The way to the database: connections, read-only transactions and SQL files."""
