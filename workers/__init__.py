"""When does something happen? What acts later, on what the events say: bots, arenas, and the queue that wakes them."""
