"""How people and programs get in: settings, embedded store, supervisor, HTTP, command line, the page."""
