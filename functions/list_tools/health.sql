select exists(select from public_collections) as loaded
