"""One module a provider; each holds its `ISSUER`, and none knows another."""
