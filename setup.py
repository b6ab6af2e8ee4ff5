"""Compiles the engine with mypyc where that is possible; what stands still is in pyproject.toml."""

import importlib.util
import os
import runpy
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

from setuptools import setup

# Relative, because mypyc names its C files after these paths.
ENGINE = Path("src/branchline/engine")
ROOMS = (ENGINE, Path("src/branchline/bots/planner"), Path("src/branchline/bots/search"))
COMPILING = {"bdist_wheel", "build", "build_ext", "editable_wheel", "install"}


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
    reason = obstacle()
    if reason is not None:
        print(f"Branchline runs uncompiled: {reason}. The results are the same, many times slower.", file=sys.stderr)
        return []
    from mypyc.build import mypycify

    built = runpy.run_path("src/branchline/built.py")
    (ENGINE / "_built.py").write_text(built["module_text"](*ROOMS), encoding="utf-8")
    modules = sorted(str(path) for room in ROOMS for path in room.glob("*.py") if path.name != "__init__.py")
    compiled = mypycify(modules, opt_level="3", group_name="branchline_engine")
    if sys.platform != "win32":
        for extension in compiled:
            # Worth 10-30 % where lists are built: calls inside the group need no symbol table.
            extension.extra_compile_args.append("-fvisibility=hidden")
    return compiled


setup(ext_modules=extensions())
