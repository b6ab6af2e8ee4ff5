"""What `explain` should answer, the slow way: from a position as data, the rules as text and networkx."""

import networkx as nx

from branchline import Map
from branchline.maps import Route
from tests.oracles.rules import Position, is_twin


def barred(map: Map, position: Position, seat: int, route: Route) -> str | None:
    """Why all the cards of the world would not help `seat` to this route: the rule, if there is one."""
    owners = position["owners"]
    if route.id in owners:
        return "R4.2"
    for other in map.routes:
        if is_twin(route, other) and other.id in owners:
            if owners[other.id] == seat:
                return "R4.4"
            if len(position["seats"]) < map.rules.twins_from:
                return "R4.5"
    return "R4.2" if position["seats"][seat]["cars"] < route.length else None


def cards_missing(map: Map, position: Position, seat: int, route: Route) -> int:
    """How many cards the hand lacks for the payment of this route that it comes closest to."""
    hand = position["seats"][seat]["hand"]
    colours = map.colours if route.colour == "grey" else (route.colour,)
    lacking = (
        max(0, wilds - hand.get("wild", 0)) + max(0, route.length - wilds - hand.get(colour, 0))
        for wilds in range(route.wilds, route.length + 1)
        for colour in colours
    )
    return int(min(lacking))


def ways(map: Map, position: Position, seat: int) -> "nx.Graph[str]":
    """The routes that are `seat`'s or could be, between each two cities the one that takes the fewest cars."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(city.id for city in map.cities)
    for route in map.routes:
        own = position["owners"].get(route.id) == seat
        if own or barred(map, position, seat, route) is None:
            cars = 0 if own else route.length
            if not graph.has_edge(route.a, route.b) or cars < graph.edges[route.a, route.b]["cars"]:
                graph.add_edge(route.a, route.b, cars=cars)
    return graph


def fewest_cars(graph: "nx.Graph[str]", a: str, b: str) -> int | None:
    """The cars that joining two cities takes; None where they can't be joined."""
    if not nx.has_path(graph, a, b):
        return None
    return int(nx.shortest_path_length(graph, a, b, weight="cars"))
