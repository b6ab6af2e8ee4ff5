"""Figures for Prometheus: what this process did, and how it stands. No person, table or address is a label."""

import hmac
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fastapi import Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from branchline.server.refused import not_found

if TYPE_CHECKING:
    from branchline.server.house import House

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)

ACTIONS = Counter("branchline_actions", "Log entries that this server stored, by who made them", ["by"])
CONFLICTS = Counter("branchline_conflicts", "Writes that came second to another server's")
RELOADS = Counter("branchline_reloads", "Tables that were read again, since another server had gone on with them")
COMMIT = Histogram("branchline_commit_seconds", "From handing an entry to the database to its commit", buckets=_SECONDS)
ANNOUNCE = Histogram(
    "branchline_announce_seconds", "From the commit of an entry to its view for everybody here", buckets=_SECONDS
)
LAG = Histogram("branchline_bus_lag_seconds", "From publishing news of one's own to hearing it", buckets=_SECONDS)
LOST = Counter("branchline_news_late", "Changes of watched tables that a look at the database told before the bus did")
TAKEN = Counter("branchline_leases_taken", "Tables whose bots or clock this server took over from another")


class Standing(Collector):
    """How a house stands at the moment it is asked."""

    def __init__(self, house: "House") -> None:
        """`house` is asked each time."""
        self._house = house

    def collect(self) -> Iterator[GaugeMetricFamily]:
        house = self._house
        tables = house.lobby.live
        people = [(table.head.people, watcher.person) for table in tables for watcher in table.audience.watchers]
        seated = sum(person in sitting for sitting, person in people)
        sockets = GaugeMetricFamily("branchline_sockets", "Sockets at tables", labels=["of"])
        sockets.add_metric(["seated"], seated)
        sockets.add_metric(["spectators"], len(people) - seated)
        yield sockets
        yield GaugeMetricFamily("branchline_tables", "Tables in memory", len(tables))
        yield GaugeMetricFamily(
            "branchline_leases", "Tables whose bots or clock this server minds", house.minder.minded
        )
        yield GaugeMetricFamily(
            "branchline_bots_waiting", "Bots' decisions that wait or are thought about", house.workers.waiting
        )
        yield GaugeMetricFamily("branchline_bus_up", "1 if news from other servers comes", not house.bus.away)
        yield GaugeMetricFamily("branchline_store_up", "1 if the last write worked", house.store.trouble is None)


class Metrics:
    """The page that Prometheus reads, for whoever knows the token."""

    def __init__(self, house: "House") -> None:
        """Without a token in the settings the page is not there."""
        self._token = house.settings.metrics_token.encode()
        self._registry = CollectorRegistry()
        self._registry.register(Standing(house))

    async def page(self, request: Request) -> Response:
        """Figures for Prometheus, for `Authorization: Bearer TOKEN`; for everybody else there is no such page."""
        given = request.headers.get("authorization", "").encode()
        if not self._token or not hmac.compare_digest(given, b"Bearer " + self._token):
            raise not_found("page")
        return Response(generate_latest(REGISTRY) + generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)
