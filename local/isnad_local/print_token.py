"""`make token`: print a token that the local API takes."""

import argparse
import sys

from isnad_authorizer.scopes import ALL
from isnad_local.issuer import DevelopmentIssuer
from isnad_local.template import ROOT


def main() -> int:
    """Print the token; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m isnad_local.print_token", description="A token for the local API.")
    parser.add_argument("--subject", default="developer", help="whom it speaks for (default: %(default)s)")
    parser.add_argument("--scope", default=" ".join(ALL), help="what it may do (default: %(default)s)")
    parser.add_argument("--seconds", type=int, default=3600, help="how long it is valid (default: %(default)s)")
    arguments = parser.parse_args()
    unknown = set(arguments.scope.split()) - set(ALL)
    if unknown:
        parser.error(f"there is no scope {min(unknown)}; the scopes are {', '.join(ALL)}")
    issuer = DevelopmentIssuer(ROOT / ".local")
    print(issuer.token(subject=arguments.subject, scopes=arguments.scope.split(), seconds=arguments.seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
