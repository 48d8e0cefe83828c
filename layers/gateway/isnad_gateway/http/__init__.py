"""API Gateway events in, replies out."""
