"""One module a subcommand, loaded when the subcommand is used."""
