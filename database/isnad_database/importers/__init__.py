"""One module a published format: it reads the format and yields typed records and a report; others store them."""
