"""The command rufous-study: hands over to the program in this package."""

import os
import subprocess
import sys

from ._programs import study_path


def main() -> int:
    command = [str(study_path()), *sys.argv[1:]]
    if sys.platform == "win32":
        # There exec would return to the shell before the program ends.
        return subprocess.run(command, check=False).returncode
    os.execv(command[0], command)
