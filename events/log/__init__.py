"""The only code that speaks Redis about history: a stream whose entry ids are versions.

Read in this order: commit, packing, client, keys, append (and append.lua), store, submit, course, record, judge,
verify, incoming.
"""
