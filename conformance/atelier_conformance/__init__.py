"""Does a program speak the Atelier protocol, or MCP, as it is written? Run with ``python3 -m atelier_conformance``."""
