"""Parts that several passes of the family share."""
