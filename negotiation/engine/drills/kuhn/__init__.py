"""Kuhn poker for two and three: rules, tables, named strategies, exact theory, a solver."""
