"""What a finished game teaches, worked out from its log alone. Pure: no database, no framework."""
