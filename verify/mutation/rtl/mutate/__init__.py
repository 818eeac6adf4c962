"""Mutants of the RTL, made on its syntax tree."""
