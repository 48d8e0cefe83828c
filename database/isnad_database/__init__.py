"""Builds, loads and inspects the gateway's database."""
