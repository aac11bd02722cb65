"""``python -m atelier_studio``: runs the executable ``atelier`` with the arguments given."""

import os
import sys

from ._process import find_executable
from .errors import ExecutableNotFound


def main() -> None:
    try:
        command = find_executable(None)
    except ExecutableNotFound as error:
        sys.exit(f"atelier: {error}")
    os.execv(command[0], [*command, *sys.argv[1:]])


if __name__ == "__main__":
    main()
