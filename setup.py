"""Compiles the engine with mypyc where that is possible; what stands still is in pyproject.toml."""

import importlib.util
import os
import re
import runpy
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# Relative, because mypyc names its C files after these paths.
SOURCE = Path("src/branchline")
HOME = os.environ.get("BRANCHLINE_URL", "").rstrip("/")
"""Where the repository is published; names the links of the package's metadata."""
COMPILING = {"bdist_wheel", "build", "build_ext", "editable_wheel", "install"}


READY = os.environ.get("BRANCHLINE_READY") == "1"
"""Ship what `make build` has compiled in place, instead of compiling it once more."""


class Ready(build_ext):
    """Takes compiled files from where `make build` left them."""

    def build_extension(self, ext: Extension) -> None:
        name = str(self.get_ext_filename(ext.name))  # type: ignore[no-untyped-call]
        target = Path(self.build_lib, name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path("src", name), target)


def ready() -> list[Extension]:
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    found = sorted(path.relative_to("src") for path in Path("src").rglob(f"*{suffix}"))
    if not found:
        raise SystemExit("BRANCHLINE_READY=1, and nothing is compiled here: make build")
    return [Extension(".".join([*path.parts[:-1], path.name.removesuffix(suffix)]), []) for path in found]


def obstacle() -> str | None:
    """Why the engine cannot be compiled here, or None."""
    if os.environ.get("BRANCHLINE_PURE") == "1":
        return "BRANCHLINE_PURE=1 asks for it"
    if importlib.util.find_spec("mypyc") is None:
        return "mypy is not installed"
    if not has_compiler():
        return "no C compiler with Python's headers was found"
    return None


def has_compiler() -> bool:
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cl")
    return shutil.which(command[0]) is not None and Path(sysconfig.get_path("include"), "Python.h").exists()


def extensions() -> list[Any]:
    if not COMPILING.intersection(sys.argv):
        return []
    if READY:
        return ready()
    reason = obstacle()
    if reason is not None:
        print(f"Branchline runs uncompiled: {reason}. The results are the same, many times slower.", file=sys.stderr)
        return []
    from mypyc.build import mypycify

    built = runpy.run_path("src/branchline/built.py")
    rooms = [SOURCE / name for name in built["NAMES"]]
    (SOURCE / "engine" / "_built.py").write_text(built["module_text"](*rooms), encoding="utf-8")
    modules = sorted(str(path) for room in rooms for path in room.glob("*.py") if path.name != "__init__.py")
    compiled = mypycify(modules, opt_level="3", group_name="branchline_engine")
    sources = {str(source) for extension in compiled for source in extension.sources}
    for source in (source for source in sources if "__native_" in source):
        code = expecting_places(without_leaks(Path(source).read_text(encoding="utf-8")))
        Path(source).write_text(code, encoding="utf-8")
    if sys.platform != "win32":
        for extension in compiled:
            # Worth 10-30 % where lists are built: calls inside the group need no symbol table. Nobody debugs the C.
            # Floats are rounded after each step, as in Python, also where a processor could do two at once.
            extension.extra_compile_args += ["-fvisibility=hidden", "-g0", "-ffp-contract=off"]
    return compiled


def without_leaks(code: str) -> str:
    """The same C, giving back what mypyc 2.4 takes and keeps: a reference to each `vec` that Python hands in.

    Its wrappers and setters mean to borrow one for the call, but unboxing counts it as used. So the table of every call
    from uncompiled code stayed for ever: a kilobyte for each game that `branchline simulate --decisions` wrote down.
    """
    borrowed = (
        r"\b(arg_\w+|tmp) = Vec(\w+)Api\.unbox\((?:obj_\w+|value)\);\n"
        r"\s*if \(VEC_IS_ERROR\(\1\)\) \{\n.*\n\s*\}\n"
    )
    return re.sub(borrowed, lambda found: f"{found[0]}VEC_{found[2].upper()}_DECREF({found[1]});\n", code)


def expecting_places(code: str) -> str:
    """The same C, telling the compiler that a place in a `vec` is expected to be there.

    mypyc 2.4 tells so of errors, but not of the question before every read and write whether the place lies inside the
    table. Unasked, gcc lays the way for places counted from the end between the lines that always run: random playouts
    took 7 % longer, a step 8 %.
    """
    inside = r"(\b\w+) = \(uint64_t\)\w+ < \(uint64_t\)\w+;\n\s*if \("
    return re.sub(rf"({inside})\2\)", r"\1likely(\2))", code)


def readme() -> str:
    """README.md as the package index shows it: there, links and pictures need the address of the repository."""
    text = Path("README.md").read_text(encoding="utf-8")
    if not HOME:
        return text
    text = re.sub(r'(src="|!\[[^]]*\]\()(docs/)', rf"\g<1>{HOME}/raw/main/\2", text)
    return re.sub(r"(?<!!)(\[[^]]*\]\()(?!https?:|#)", rf"\g<1>{HOME}/blob/main/", text)


def urls() -> dict[str, str]:
    if not HOME:
        return {}
    pages = {"Documentation": "docs/library.md", "Research": "docs/research.md", "Changelog": "CHANGELOG.md"}
    return {"Homepage": HOME, "Source": HOME} | {name: f"{HOME}/blob/main/{page}" for name, page in pages.items()}


if {"bdist_wheel", "install"}.intersection(sys.argv) and not (SOURCE / "server/static/index.html").exists():
    print("The browser client is not built: `make web` first, or `make dist` for all of it.", file=sys.stderr)

setup(
    cmdclass={"build_ext": Ready} if READY else {},
    ext_modules=extensions(),
    long_description=readme(),
    long_description_content_type="text/markdown",
    project_urls=urls(),
)
