"""OpenSpiel's information-set MCTS plays New York against a random player, from what its seat may know."""

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import branchline.env.openspiel  # noqa: F401 - registers the game

game = pyspiel.load_game("branchline(map=new-york,players=2,actions=compact)")
chance = np.random.RandomState(4)
bot = ISMCTSBot(game, RandomRolloutEvaluator(1, chance), uct_c=1.4, max_simulations=4, random_state=chance)

state = game.new_initial_state()
decisions = 0
while not state.is_terminal():
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(chance.choice(outcomes, p=weights)))
    elif state.current_player() == 0:
        state.apply_action(bot.step(state))
        decisions += 1
    else:
        state.apply_action(int(chance.choice(state.legal_actions())))
print(f"{decisions} decisions of IS-MCTS; returns: {state.returns()}")
