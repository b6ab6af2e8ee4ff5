"""Tables, seats, sockets, storage. Knows that games have seats, actions, events and views; no rule, card or city."""
