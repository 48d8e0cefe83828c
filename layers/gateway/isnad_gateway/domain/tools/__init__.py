"""The tools' declarations, one module a tool, so that a function loads its own alone."""
