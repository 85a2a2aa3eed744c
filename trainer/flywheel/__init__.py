"""The flywheel: what people play becomes examples, examples become datasets, and each knows where it went."""
