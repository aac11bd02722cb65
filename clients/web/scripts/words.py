"""Adds words to the pages, and says which are missing or not used.

    python3 clients/web/scripts/words.py add < new.json     # {"key": {"en": "…", "es-MX": "…", …}, …}
    python3 clients/web/scripts/words.py check              # names what is missing, different or not used

The files are sorted by key, one key a line, so that two people who add words do not touch the same lines.
"""

from __future__ import annotations

import fcntl
import json
import re
import sys
from pathlib import Path
from typing import Dict, List

PAGES = Path(__file__).resolve().parent.parent / "pages"
LANGUAGES = ("en", "es-MX", "ja", "zh-Hans", "hi", "de")
PLURALS = ("zero", "one", "two", "few", "many", "other")


def read(language: str) -> Dict[str, str]:
    """The words of a language."""
    file = PAGES / "words" / f"{language}.json"
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def add(new: Dict[str, Dict[str, str]]) -> None:
    """Adds or replaces words; each must be in every language, and a plural in each of its forms."""
    with open(__file__) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for language in LANGUAGES:
            words = read(language) | {key: texts[language] for key, texts in new.items() if language in texts}
            text = json.dumps(dict(sorted(words.items())), ensure_ascii=False, indent=0)
            (PAGES / "words" / f"{language}.json").write_text(text + "\n", "utf-8")


def placeholders(text: str) -> List[str]:
    """The names in braces."""
    return sorted(set(re.findall(r"\{\w+\}", text)))


def check() -> List[str]:
    """What is wrong with the words."""
    faults = []
    words = {language: read(language) for language in LANGUAGES}
    code = "\n".join(path.read_text("utf-8") for path in PAGES.rglob("*.js"))
    for key, english in words["en"].items():
        for language in LANGUAGES:
            text = words[language].get(key)
            if text is None and not key.endswith(".one"):
                faults.append(f"{language} lacks {key}")
            elif text is not None and placeholders(text) != placeholders(english):
                faults.append(f"{language}: {key} has other names in braces")
    for language in LANGUAGES:
        faults += [f"{language} has {key}, en does not" for key in words[language] if key not in words["en"]]
    for key in words["en"]:
        stem = key.rsplit(".", 1)[0] if key.rsplit(".", 1)[-1] in PLURALS else key
        # `phase.${phase}` uses every key that begins so.
        if f'"{stem}"' not in code and f"`{stem.split('.')[0]}." not in code:
            faults.append(f"nothing uses {key}")
    for key in re.findall(r'\bt\(\s*"([\w.-]+)"', code):
        if key not in words["en"]:
            faults.append(f"en lacks {key}")
    for key in re.findall(r'\bplural\(\s*"([\w.-]+)"', code):
        if f"{key}.other" not in words["en"]:
            faults.append(f"en lacks {key}.other")
    return sorted(set(faults))


if __name__ == "__main__":
    if sys.argv[1:] == ["add"]:
        add(json.load(sys.stdin))
    elif sys.argv[1:] == ["check"]:
        found = check()
        for fault in found:
            print(fault)
        sys.exit(1 if found else 0)
    else:
        sys.exit(__doc__)
