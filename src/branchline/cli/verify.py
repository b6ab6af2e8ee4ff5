"""`branchline verify`: derives a recorded game again and says what holds."""

from argparse import Namespace
from dataclasses import asdict

from branchline.cli.files import load_record
from branchline.cli.parser import Parser
from branchline.cli.plain import plain, plain_json


def parser() -> Parser:
    """What `branchline verify` takes."""
    parser = Parser(
        "branchline verify",
        "Derive every shuffle, action and score of a recorded game again; exit code 1 if one does not hold.\n"
        "How to do it without this program: docs/records.md.",
        "branchline verify game.json",
    )
    parser.add_argument("file", metavar="FILE", help="the record")
    parser.add_json()
    return parser


def run(args: Namespace) -> int:
    """Verify, and print each check."""
    verdict = load_record(args.file).verify()
    if args.json:
        print(plain_json({"file": args.file, "ok": verdict.ok} | asdict(verdict), indent=2))
        return 0 if verdict.ok else 1
    for check in verdict.checks:
        print(f"{'ok' if check.ok else 'WRONG':<7}{check.what:<9}{plain(check.detail)}")
    if verdict.ok:
        print(f"\n{args.file} holds:")
        print(*(f"  {sentence}" for sentence in verdict.vouches), sep="\n")
        print("\nNo record can show:")
        print(*(f"  {sentence}" for sentence in verdict.cannot), sep="\n")
    else:
        print(f"\n{args.file} does not hold: {', '.join(check.what for check in verdict.checks if not check.ok)}")
    return 0 if verdict.ok else 1
