"""Where the programs of this wheel are."""

import os
import shutil
import sys
from importlib import metadata
from pathlib import Path

_SUFFIX = ".exe" if sys.platform == "win32" else ""


def _installed(name: str) -> "Path | None":
    """The program among the files that the installer recorded, wherever it put them."""
    try:
        files = metadata.files("rufous") or []
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        located = Path(str(file.locate()))
        if file.name == name and located.is_file():
            return located.resolve()
    return None


def _find(program: str, variable: str) -> Path:
    name = program + _SUFFIX
    if variable in os.environ:
        return Path(os.environ[variable])
    found = _installed(name)
    if found is None and (on_path := shutil.which(name)) is not None:
        found = Path(on_path)
    if found is None:
        raise FileNotFoundError(f"{name} is not in this installation; set {variable} to where it is")
    return found


def path() -> Path:
    """The engine, a program that speaks UCI. The environment variable RUFOUS_PATH names another one."""
    return _find("rufous", "RUFOUS_PATH")


def study_path() -> Path:
    """The program rufous-study. The environment variable RUFOUS_STUDY_PATH names another one."""
    return _find("rufous-study", "RUFOUS_STUDY_PATH")
