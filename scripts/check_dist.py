"""Whether the files in a directory are what we want to ship: python scripts/check_dist.py dist"""

import sys
import tarfile
import zipfile
from pathlib import Path

WHEEL = ("branchline/server/static/index.html", "branchline/maps/europe.json", "branchline/py.typed")
SDIST = ("web/package.json", "web/src/main.ts", "scripts/build", "constraints.txt", "tests/conftest.py", *WHEEL)


def main(folder: Path) -> None:
    wheels, sdists = sorted(folder.glob("*.whl")), sorted(folder.glob("*.tar.gz"))
    if not wheels or len(sdists) != 1:
        sys.exit(f"{folder}: one sdist and at least one wheel are expected")
    for wheel in wheels:
        names = zipfile.ZipFile(wheel).namelist()
        check(wheel, names, WHEEL)
        if not any(name.startswith("branchline/engine/state.") and name.endswith((".so", ".pyd")) for name in names):
            sys.exit(f"{wheel.name}: the engine in it is not compiled")
        if "linux_" in wheel.name and "manylinux" not in wheel.name:
            print(f"{wheel.name}: no manylinux tag; this machine's auditwheel could not give it one", file=sys.stderr)
    with tarfile.open(sdists[0]) as archive:
        names = [name.partition("/")[2].removeprefix("src/") for name in archive.getnames()]
    check(sdists[0], names, SDIST)
    if any("node_modules" in name or name.endswith(".so") for name in names):
        sys.exit(f"{sdists[0].name}: holds what was installed or built here")


def check(path: Path, names: list[str], wanted: tuple[str, ...]) -> None:
    missing = [name for name in wanted if name not in names]
    if missing:
        sys.exit(f"{path.name}: lacks {', '.join(missing)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
