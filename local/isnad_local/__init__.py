"""The gateway on one machine: Postgres, sandbox data and the routes of the template."""
