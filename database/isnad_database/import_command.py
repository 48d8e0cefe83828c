"""`isnad-database import`: the formats, the options and what is said at the end."""

import argparse
from pathlib import Path

from pg8000.native import Connection

from isnad_database.connect import UsageError
from isnad_database.import_commentary import import_hadeethenc, import_openiti_commentary
from isnad_database.import_texts import import_hadith_api, import_lk
from isnad_database.importing import Importer, Options, Outcome, run_import
from isnad_database.narrator_imports import import_ar_sanad, import_openiti_biography

FORMATS: dict[str, tuple[Importer, str]] = {
    "hadith-api": (import_hadith_api, "edition files of hadith-api, <language>-<collection>.json, in any language"),
    "lk": (import_lk, "chapters of the LK Hadith Corpus, <Collection>/Chapter<N>.csv"),
    "hadeethenc": (import_hadeethenc, "entries of HadeethEnc as JSON: explanation and translation"),
    "ar-sanad": (import_ar_sanad, "narrators of AR-Sanad (.csv), and files of chains with their ids"),
    "openiti-biography": (import_openiti_biography, "a biographical work in OpenITI mARkdown"),
    "openiti-commentary": (import_openiti_commentary, "a commentary in OpenITI mARkdown"),
}
_SHOWN = 12  # kinds of findings in the summary; --report has every one


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    formats = "".join(f"\n  {name:20} {text}" for name, (_, text) in FORMATS.items())
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"formats:{formats}"
    parser.add_argument("format", choices=FORMATS, help="the format of the files")
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path, help="a file, or a folder for all files in it")
    parser.add_argument("--dry-run", action="store_true", help="do everything, say what would come of it, keep nothing")
    parser.add_argument("--report", metavar="FILE", type=Path, help="write every skipped or odd thing here, one a line")
    parser.add_argument("--version", metavar="TEXT", help="version or commit of the data set")
    parser.add_argument(
        "--collection", metavar="CODE", help="the collection that a commentary is on, or a chapter is of"
    )
    parser.add_argument("--scheme", metavar="NAME", help="the numbering scheme of the numbers that a commentary prints")
    parser.add_argument("--translator", metavar="NAME", help="who translated (default: unknown)")
    parser.add_argument(
        "--origin", choices=("human", "machine", "unknown"), default="unknown", help="who made the translation"
    )
    parser.add_argument(
        "--id-column",
        choices=("id", "id_in_full_list"),
        default="id_in_full_list",
        help="the column of AR-Sanad's narrators that the ids of the chains are values of; it is proved",
    )
    parser.add_argument(
        "--language", metavar="CODE", help="the language of a translation where the file does not say it"
    )


def run(connection: Connection, arguments: argparse.Namespace) -> None:
    """Import, write the report where one is asked for, and print what came of it."""
    importer, _ = FORMATS[arguments.format]
    options = Options(
        version=arguments.version,
        collection=arguments.collection,
        scheme=arguments.scheme,
        translator=arguments.translator,
        origin=arguments.origin,
        language=arguments.language,
        id_column=arguments.id_column,
    )
    outcome = Outcome()
    try:
        run_import(connection, importer, arguments.paths, options, outcome, dry_run=arguments.dry_run)
    finally:
        if arguments.report is not None:
            _write_report(arguments.report, outcome)
    print(
        "would import" if arguments.dry_run else "imported",
        ", ".join(f"{n} {kind}" for kind, n in outcome.counts.items()),
    )
    for code, count in list(outcome.report.counts().items())[:_SHOWN]:
        print(f"  {count} {code}")


def _write_report(path: Path, outcome: Outcome) -> None:
    try:
        path.write_text("".join(f"{line}\n" for line in outcome.report.lines()), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"the report cannot be written to {path} ({type(error).__name__})") from None
