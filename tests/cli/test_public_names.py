"""The names of `import branchline` are a promise: a new one is added here on purpose, none goes unnoticed."""

import branchline


def test_the_public_names() -> None:
    assert branchline.__all__ == [
        "Action",
        "BuildStation",
        "ClaimRoute",
        "DrawCard",
        "DrawTickets",
        "Event",
        "Game",
        "IllegalAction",
        "KeepTickets",
        "Map",
        "MapError",
        "Pass",
        "PayTunnel",
        "Payment",
        "Picture",
        "Record",
        "Rng",
        "Scores",
        "State",
        "TakeBack",
        "View",
        "__version__",
        "draw",
        "explain",
        "load_map",
        "sample_world",
    ]
    assert all(hasattr(branchline, name) for name in branchline.__all__)
