"""Deals between two people at the table: an app of its own inside the room where things are played."""
