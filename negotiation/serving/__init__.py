"""The model server as its operators see it: adapters that may sit at a table, how the server fares, a page for both.

How a turn is asked of a model is ``negotiation/opponents``; nothing here is needed where MODEL_URL names no server.
"""
