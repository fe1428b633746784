"""Does somebody's bot keep playing when the network does not? A conformance kit for bots that play over HTTP.

The service that a bot under test speaks to is the real API over a real store; only the way to it is spoilt. Read in
this order: scenarios, faults, exchange, layer, table, player, judge, run.
"""
