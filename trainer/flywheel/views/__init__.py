"""The pages of the data room."""
