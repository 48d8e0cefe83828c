"""What every other part stands on: errors, log events and settings."""
