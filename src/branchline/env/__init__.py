"""Environments for learning: many games at once, PettingZoo, Gymnasium, OpenSpiel."""
