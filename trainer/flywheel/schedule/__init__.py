"""Retraining by the calendar: once there is enough that is new."""
