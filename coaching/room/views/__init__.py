"""The pages of the room: who asks, one service or selector, one answer."""
