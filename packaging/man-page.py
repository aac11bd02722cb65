#!/usr/bin/env python3
"""Writes the manual page of atelier or atelier-web, from what the executable says about its own commands and options.

    packaging/man-page.py .build/release/atelier > atelier.1
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, Dict, Iterator, List, Tuple

Command = Dict[str, Any]

#: What the executables do not say themselves.
PROGRAMS: Dict[str, Dict[str, Any]] = {
    "atelier": {
        "name": "make AI pictures of people",
        # Every command has these; the page explains them once.
        "common": {"data-dir", "config", "log-level", "version", "help"},
        "environment": [
            ("ATELIER_DATA_DIR", "The directory of history and pictures. Default: ~/.local/share/atelier"),
            ("ATELIER_CONFIG", "The configuration file, in JSON."),
            ("GEMINI_API_KEY, GOOGLE_API_KEY", "The key for Google's image models."),
            ("OPENAI_API_KEY", "The key for OpenAI's Images API or a server compatible with it."),
        ],
        "exit status":
            "0 on success, 1 on failure, also to write the output, 2 for wrong usage, 3 for an unusable data directory; "
            "128 and the number of the signal that cancelled the command.",
        "see also": "atelier-web(1), where it is installed",
    },
    "atelier-web": {
        "name": "show Atelier in a browser",
        "common": {"version", "help"},
        "environment": [
            ("ATELIER_WEB_CONFIG", "The configuration file, in JSON."),
            ("ATELIER", "The executable of the service."),
            ("TMPDIR", "The folder in which photos are kept, without a name, while they are uploaded."),
            ("LC_ALL, LC_MESSAGES, LANG", "The language of those whose browser asks for none that there is."),
        ],
        "exit status":
            "0 after SIGTERM or SIGINT, 1 if the host cannot start or the configuration file cannot be used, "
            "64 for wrong usage.",
        "see also": "atelier(1); /usr/share/doc/atelier/docs/web.md",
    },
}


def escape(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\n".join("\\&" + line if line.startswith((".", "\\(aq")) else line for line in text.split("\n"))


def discussion(text: str) -> List[str]:
    """Paragraphs; those that are indented are examples."""
    lines: List[str] = []
    for paragraph in text.strip("\n").split("\n\n"):
        if paragraph.startswith("  "):
            lines += [".PP", ".RS 4", ".nf", escape(paragraph), ".fi", ".RE"]
        else:
            lines += [".PP", escape(" ".join(paragraph.split("\n")))]
    return lines


def name(argument: Command) -> str:
    """What stands before an argument's description, for example ``-o, --output OUTPUT``."""
    value = argument.get("valueName", "")
    if argument["kind"] == "positional":
        return f"\\fI{escape(value)}\\fR"
    dashes = {"long": "--", "short": "-", "longWithSingleDash": "-"}
    names = ", ".join(f"\\fB{escape(dashes[each['kind']] + each['name'])}\\fR" for each in argument["names"])
    return names if argument["kind"] == "flag" else f"{names} \\fI{escape(value)}\\fR"


def description(argument: Command) -> str:
    text = argument.get("abstract", "")
    if argument.get("defaultValue"):
        text += f" Default: {argument['defaultValue']}"
    return escape(text)


def options(arguments: List[Command]) -> List[str]:
    return [line for each in arguments if each.get("abstract") for line in (".TP", name(each), description(each))]


def commands(command: Command, path: str = "") -> Iterator[Tuple[str, Command]]:
    """The commands that do something, with their full names."""
    for each in command.get("subcommands", []):
        if each["commandName"] == "help" or not each.get("shouldDisplay", True):
            continue
        full = f"{path}{each['commandName']}"
        if each.get("subcommands"):
            yield from commands(each, full + " ")
        else:
            yield full, each


def page(command: Command, version: str) -> str:
    program = command["commandName"]
    about = PROGRAMS[program]

    def is_common(argument: Command) -> bool:
        return argument.get("preferredName", {}).get("name") in about["common"]

    entries = list(commands(command))
    common = {
        each["preferredName"]["name"]: each for _, entry in entries for each in entry["arguments"] if is_common(each)
    }
    lines = [
        f'.TH {program.upper()} 1 "" "Atelier {version}" "User Commands"',
        ".SH NAME", f"{escape(program)} \\- {about['name']}",
        ".SH SYNOPSIS", f".B {escape(program)}", "[\\fIcommand\\fR] [\\fIoption\\fR ...]",
        ".SH DESCRIPTION", escape(command["abstract"]),
    ]
    if command.get("discussion"):
        lines += discussion(command["discussion"])
    if command.get("defaultSubcommand"):
        lines += [".PP", f"Without a command, it does what \\fB{escape(command['defaultSubcommand'])}\\fR does."]
    lines += [".SH COMMANDS"]
    for full, entry in entries:
        own = [each for each in entry["arguments"] if not is_common(each) and each.get("shouldDisplay", True)]
        positional = "".join(" " + name(each) for each in own if each["kind"] == "positional")
        lines += [f".SS {escape(program)} {escape(full)}{positional}", escape(entry["abstract"])]
        if entry.get("discussion"):
            lines += discussion(entry["discussion"])
        lines += options(own)
    lines += [".SH COMMON OPTIONS", *options([common[key] for key in sorted(common)])]
    lines += [".SH ENVIRONMENT"]
    for variable, text in about["environment"]:
        lines += [".TP", f".B {escape(variable)}", escape(text)]
    lines += [".SH EXIT STATUS", about["exit status"], ".SH SEE ALSO", escape(about["see also"])]
    return "\n".join(line for line in lines if line) + "\n"


def main() -> None:
    executable = sys.argv[1]
    help_text = subprocess.run([executable, "--experimental-dump-help"], check=True, capture_output=True).stdout
    version = subprocess.run([executable, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    sys.stdout.write(page(json.loads(help_text)["command"], version))


if __name__ == "__main__":
    main()
