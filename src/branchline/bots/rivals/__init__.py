"""Sparring partners: planners of other styles than `regular`, to see that the strongest bot has no easy hole."""
