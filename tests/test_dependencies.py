"""What is installed is what was chosen: declared, pinned, hashed, and under a licence that lets anybody host it."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution, packages_distributions, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FREE = re.compile(
    r"\b(MIT|BSD|Apache|PSF|Python Software Foundation|ISC|MPL|Mozilla|0BSD|Zlib|Unlicense|HPND|CNRI|CC0)",
    re.IGNORECASE,
)
"""Licences under which a host may run a package, and give it on, without more than naming its authors."""
NAMED = {"typing_extensions": "PSF-2.0"}
"""Packages whose metadata do not say."""


def requirements(name: str) -> dict[str, str]:
    """Version by name, of a file that scripts/lock wrote."""
    text = (ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for block in re.split(r"\n(?=\S)", text):
        if block.startswith("#"):
            continue
        line, *hashes = [part.strip() for part in block.split("\\\n")]
        assert hashes, line
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", hash) for hash in hashes), line
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate():
            (specifier,) = requirement.specifier
            found[canonicalize_name(requirement.name)] = specifier.version
    return found


def test_the_lock_fits_the_constraints() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts/lock.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_server_needs_nothing_that_tests_do_not_have() -> None:
    assert requirements("server").items() <= requirements("dev").items()


@pytest.mark.parametrize("name", sorted(requirements("dev")))
def test_what_is_installed_is_what_was_pinned(name: str) -> None:
    assert version(name) == requirements("dev")[name]


@pytest.mark.parametrize("name", sorted(requirements("server")))
def test_whoever_hosts_may(name: str) -> None:
    """Nothing the server runs on asks its host for more than to name its authors."""
    metadata = distribution(name).metadata.json
    classifiers = [line for line in metadata.get("classifier", []) if line.startswith("License")]
    told = [metadata.get("license_expression"), *classifiers, str(metadata.get("license", ""))[:200], NAMED.get(name)]
    words = " / ".join(str(word) for word in told if word)
    assert FREE.search(words), f"{name}: {words or 'no licence'}"
    assert not re.search(r"\b(A?GPL|Affero)", words), f"{name}: {words}"


def imported(folder: Path) -> dict[str, str]:
    """Top-level modules that are imported, and where."""
    found: dict[str, str] = {}
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            for name in names:
                found.setdefault(name.partition(".")[0], str(path.relative_to(ROOT)))
    return found


def test_what_is_imported_is_declared() -> None:
    """Not only brought along by something else, which may stop bringing it."""
    lines = [*PROJECT["dependencies"], *(line for extra in PROJECT["optional-dependencies"].values() for line in extra)]
    declared = {canonicalize_name(Requirement(line).name) for line in lines}
    providers = packages_distributions()
    for module, where in imported(ROOT / "src").items():
        if module in sys.stdlib_module_names or module == "branchline":
            continue
        names = {canonicalize_name(name) for name in providers.get(module, [module])}
        assert names & declared, f"{where} imports {module}, which pyproject.toml does not declare"


def test_the_engine_can_be_compiled_where_no_extra_is_installed() -> None:
    """Mypy follows what the compiled rooms import: a package that it misses there would end the build of an sdist."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    may_miss = {name.removesuffix(".*") for table in tools["mypy"]["overrides"] for name in table["module"]}
    there = {name.replace("-", "_") for name in map(_package, PROJECT["dependencies"])} | {"branchline"}
    sources = [*(ROOT / "src/branchline").glob("*.py"), *(ROOT / "src/branchline/drawing").glob("*.py")]
    for path in sources:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                top = module.partition(".")[0]
                assert top in sys.stdlib_module_names or top in there | may_miss, f"{path.name} imports {top}"


def _package(line: str) -> str:
    return canonicalize_name(Requirement(line).name)
