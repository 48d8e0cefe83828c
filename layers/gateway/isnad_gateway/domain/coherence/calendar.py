"""Years of the Hijri calendar in the Gregorian one."""

from typing import Final

# The tabular Islamic calendar: 30 years have 10,631 days, and year 1 begins on 19 July 622 (proleptic Gregorian), which
# is day 227,015 counted from 1 January 1 (Reingold and Dershowitz, Calendrical Calculations, "Islamic calendar").
_CYCLE_DAYS: Final = 10_631
_CYCLE_YEARS: Final = 30
_EPOCH: Final = 227_015
_GREGORIAN_YEAR: Final = 365.2425


def years_of(hijri: int) -> set[float]:
    """What a year of the Hijra can be told as: itself, and the Gregorian years that it touches."""
    begins = _EPOCH + (hijri - 1) * _CYCLE_DAYS // _CYCLE_YEARS
    ends = _EPOCH + hijri * _CYCLE_DAYS // _CYCLE_YEARS
    gregorian = {int(day / _GREGORIAN_YEAR) + 1 for day in (begins, ends)}
    return {float(year) for year in (hijri, *gregorian)}
