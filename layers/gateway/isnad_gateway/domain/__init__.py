"""The contract and the evidence rules: pure, without HTTP and without a database."""
