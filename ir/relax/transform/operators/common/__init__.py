"""What passes over operators share."""
