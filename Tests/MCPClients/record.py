"""Runs a command and records every line of its input and output.

    record.py LOG COMMAND…
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading


def main() -> None:
    path, *command = sys.argv[1:]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    lock = threading.Lock()

    def pump(source, target, sender: str) -> None:
        for line in source:
            with lock, open(path, "a") as log:
                log.write(json.dumps({"from": sender, "line": line.decode().rstrip("\n")}) + "\n")
            try:
                target.write(line)
                target.flush()
            except OSError:
                return
        target.close()

    inward = threading.Thread(target=pump, args=(sys.stdin.buffer, process.stdin, "client"), daemon=True)
    inward.start()
    pump(process.stdout, sys.stdout.buffer, "server")
    sys.exit(process.wait())


if __name__ == "__main__":
    main()
