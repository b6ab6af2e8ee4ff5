"""The boards as data: cities, routes, tickets and the ruleset that is played on them."""

from branchline.maps.check import check
from branchline.maps.fault import Fault, MapError
from branchline.maps.loader import BUNDLED, load_map, map_from_data
from branchline.maps.model import City, Map, Route, Ticket

__all__ = ["BUNDLED", "City", "Fault", "Map", "MapError", "Route", "Ticket", "check", "load_map", "map_from_data"]
