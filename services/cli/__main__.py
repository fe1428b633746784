"""How is `python -m services.cli` the same as `malice`? So."""

from services.cli import main

main()
