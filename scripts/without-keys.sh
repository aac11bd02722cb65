# To be sourced: removes the caller's own keys, keyring, servers and configuration from the environment, so that a demo
# or a test sends nothing anywhere and does not depend on them.
unset GEMINI_API_KEY GOOGLE_API_KEY OPENAI_API_KEY GOOGLE_GEMINI_BASE_URL OPENAI_BASE_URL
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR ATELIER_CONFIG ATELIER_STORE_PASSWORD
