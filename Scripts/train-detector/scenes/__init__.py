"""Procedurally drawn scenes of pages on desks, with exact corners."""
