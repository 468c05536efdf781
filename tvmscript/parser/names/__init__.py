"""Names of a program: scopes, namespaces, signatures, lazy tables."""
