"""Deals for three at the table: an app of its own inside the room where things are played."""
