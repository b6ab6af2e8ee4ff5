"""A review in words, in three languages: what was done, what was better, and why."""

from collections.abc import Iterable, Mapping
from typing import Any

from branchline.actions import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Pass,
    PayTunnel,
)
from branchline.maps import Map
from branchline.review.format import Decision
from branchline.review.phrases import COLOURS, PHRASES

LANGUAGES = tuple(PHRASES)


class Words:
    """Words for one map in one language."""

    def __init__(self, map: Map, language: str) -> None:
        self.language = language
        self._map = map
        self._say = PHRASES[language]
        self._cities = {city.id: city.name.get(language, city.id) for city in map.cities}
        self._routes = {route.id: route for route in map.routes}
        self._tickets = {ticket.id: ticket for ticket in map.tickets}

    def __call__(self, phrase: str, **values: object) -> str:
        """A phrase, with its values filled in."""
        return self._say[phrase].format(**values)

    def map_name(self) -> str:
        """What the map is called."""
        return self._map.name.get(self.language, self._map.id)

    def route(self, id: str) -> str:
        """A route by its two cities."""
        route = self._routes[id]
        return f"{self._cities[route.a]}–{self._cities[route.b]}"

    def tickets(self, ids: Iterable[str]) -> str:
        """Tickets by their two cities."""
        known = [self._tickets[id] for id in ids]
        return self._say["and"].join(f"{self._cities[ticket.a]}–{self._cities[ticket.b]}" for ticket in known)

    def did(self, action: Action, row: tuple[str | None, ...] = ()) -> str:
        """What somebody did: "drew a blind card"."""
        return self._of(action, "did", row)

    def doing(self, action: Action, row: tuple[str | None, ...] = ()) -> str:
        """What could be done: "drawing a blind card"."""
        return self._of(action, "doing", row)

    def moment(self, decision: Decision, row: tuple[str | None, ...] = ()) -> str:
        """A costly moment: "Turn 14: drew a blind card; claiming Paris–Zürich kept 7 % more.", with its reason."""
        when = self("turn", n=decision.turn) if decision.turn else self("opening")
        told = self(
            "moment",
            when=when,
            did=self.did(decision.action, row),
            better=self.doing(decision.best, row),
            cost=f"{100 * decision.cost.value:.0f}",
        )
        return f"{told}{self._say['space']}{why}" if (why := self.why(decision.reason)) else told

    def why(self, reason: Mapping[str, Any]) -> str:
        """A bot's reason as a sentence, with what the action brings; empty where nothing is to be said."""
        return self._say["space"].join(self._because(reason))

    def _because(self, reason: Mapping[str, Any]) -> list[str]:
        word = reason.get("reason")
        if "points" in reason:
            return self._claimed(reason)
        if word == "keep-tickets":
            told = [self("why.keep-tickets", cars=reason["cars"], left=reason["left"])] if "cars" in reason else []
            return told + ([self("why.keep-all", all=reason["all"])] if "all" in reason else [])
        tickets = self.tickets(reason.get("tickets", ()))
        if word == "collect" and "route" in reason:
            route = self.route(reason["route"])
            return [self("why.collect" if tickets else "why.collect-route", tickets=tickets, route=route)]
        if word in ("station", "more-tickets", "last-turn", "tunnel", "take-back"):
            return [self(f"why.{word}")]
        return []

    def _claimed(self, reason: Mapping[str, Any]) -> list[str]:
        """What a claim brings, the weightiest first; its points where there is nothing else to say."""
        told = []
        if "completes" in reason:
            told.append(self("why.completes", tickets=self.tickets(reason["completes"])))
        elif "tickets" in reason:
            told.append(
                self("why.join-tickets", tickets=self.tickets(reason["tickets"]), route=self.route(reason["route"]))
            )
        if "sights" in reason:
            told.append(self("why.sights", sights=reason["sights"]))
        if "trail" in reason:
            trail, other = reason["trail"]
            told.append(self("why.trail" if trail > other else "why.level", trail=trail, other=other))
        if reason.get("last_round"):
            told.append(self("why.last-round"))
        told = told or [self("why.points", points=reason["points"], cards=reason["cards"])]
        return [*told, self("why.last-turn")] if reason.get("reason") == "last-turn" else told

    def _of(self, action: Action, form: str, row: tuple[str | None, ...]) -> str:
        match action:
            case DrawCard(None):
                return self(f"{form}.blind")
            case DrawCard(slot):
                card = row[slot] if slot is not None and slot < len(row) else None
                return self(f"{form}.take", card=COLOURS[self.language].get(card or "", card or "?"))
            case DrawTickets():
                return self(f"{form}.tickets")
            case KeepTickets(tickets):
                return self(f"{form}.keep", tickets=self.tickets(tickets))
            case ClaimRoute(route, _):
                return self(f"{form}.claim", route=self.route(route))
            case BuildStation(city, _):
                return self(f"{form}.build", city=self._cities[city])
            case PayTunnel():
                return self(f"{form}.pay")
            case Pass():
                return self(f"{form}.pass")
        return self(f"{form}.back")
