"""The parts of the chain reader; `isnad_database.chain_reader` is the way in.

A text goes through `letters` (words with their places), `wishes` and `names` (what a mention is), `links` (what leads
from one mention to the next), `ends` (where a route stops) and `routes` (how routes become chains). What the reader
knows of the language stands in `vocabulary` and `given_names`.
"""
