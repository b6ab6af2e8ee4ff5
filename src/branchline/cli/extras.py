"""What a command needs beyond the library, in words."""

from importlib.metadata import PackageNotFoundError, requires

IMPORTED_AS = {"pil": "pillow", "pyspiel": "open-spiel"}
"""Packages that are imported under another name than they are installed under."""


def lacking(error: ModuleNotFoundError) -> str | None:
    """Which extra brings the module that was not found; None if it is none of ours."""
    module = (error.name or "").partition(".")[0].lower().replace("_", "-")
    wanted = IMPORTED_AS.get(module, module)
    try:
        lines = requires("branchline") or []
    except PackageNotFoundError:
        return None
    for line in lines:
        package, _, condition = line.partition(";")
        name = "".join(c if c.isalnum() or c in "-_." else " " for c in package).split()[0].lower().replace("_", "-")
        extra = condition.partition("extra ==")[2].strip(" \"'")
        if name == wanted and extra:
            return f"this needs {name}, which is not installed here: pip install 'branchline[{extra}]'"
    return None
