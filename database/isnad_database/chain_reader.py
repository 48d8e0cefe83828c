"""Reads the chains of narrators out of the Arabic text of a hadith."""

from .chains.model import Chain, Completeness, Doubt, Meeting, Node, Reading
from .chains.reader import READER_NAME, READER_VERSION, read

__all__ = ["READER_NAME", "READER_VERSION", "Chain", "Completeness", "Doubt", "Meeting", "Node", "Reading", "read"]
