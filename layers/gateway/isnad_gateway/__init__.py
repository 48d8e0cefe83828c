"""What every function of the gateway shares: contract, evidence, errors, envelope, reads and journals."""
