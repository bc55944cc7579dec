"""The arguments of the commands that run a house: serve, house, tell, verify, backup, restore.

These commands are for the people who run a house. They are in English only, like its logs.
"""

from __future__ import annotations

from novamas.cli.parser_base import FILE, KEY, Parser, add_command, add_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from novamas.cli.parser_base import Commands

ONE_LOG = "one table's log, or `register` for that of the people (all logs)"
KEYS = "a file, credential:NAME, or command:LINE for a command that prints it"
CHECKPOINTS_KEY = "the key that signs the checkpoints (a file beside them); a KEY as for --ball-key"
STOLEN = "refuse the passwords in this file: sorted lines of SHA-1 in hexadecimal"
STORE = "the house's store: a file, or postgresql://USER@HOST/DATABASE"


def add_serve(commands: Commands) -> None:
    """`novamas serve`."""
    command = add_command(
        commands,
        "serve",
        "open a house, on this machine alone or to people with accounts",
        "serve --local --open",
        "serve --local --store house.db --checkpoints elsewhere/house.checkpoints",
        "serve --store house.db --host 0.0.0.0 --name house.example.org"
        " --certificate tls-certificate.pem --key tls-key.pem",
    )
    command.add_argument(
        "--local",
        action="store_true",
        help="listen on the loopback address alone, with play money and without accounts",
    )
    command.add_argument(
        "--host", metavar="ADDRESS", help="listen on this address of the machine (127.0.0.1)"
    )
    command.add_argument(
        "--name",
        metavar="NAME",
        action="append",
        help="accept requests for this host name; may be given more than once",
    )
    command.add_argument(
        "--certificate", metavar=FILE, help="serve over TLS with this certificate, in PEM"
    )
    command.add_argument("--key", metavar=FILE, help="the certificate's private key, in PEM")
    command.add_argument(
        "--proxy",
        metavar="ADDRESS",
        action="append",
        help="trust forwarded headers from this proxy address or network; may be given more than"
        " once",
    )
    command.add_argument(
        "--port", metavar="N", default="8037", help="listen on this port; 0 takes any (8037)"
    )
    command.add_argument(
        "--open", action="store_true", help="show the house in the browser, where there is one"
    )
    command.add_argument(
        "--store",
        metavar=FILE,
        help="keep everything in this file, or in the database postgresql://…",
    )
    command.add_argument(
        "--address",
        metavar="URL",
        help="where clients reach this server, when several serve one house",
    )
    command.add_argument(
        "--checkpoints", metavar=FILE, help="append signed checkpoints of every log to FILE"
    )
    command.add_argument("--checkpoints-key", metavar=KEY, help=CHECKPOINTS_KEY)
    command.add_argument(
        "--ball-key",
        metavar=KEY,
        help=f"the key that encrypts the ball's seeds (a file beside the store): {KEYS}",
    )
    command.add_argument(
        "--clock-is-right",
        action="store_true",
        help="confirm the machine's clock, to open a house that was closed for over a week",
    )
    command.add_argument(
        "--second-factor",
        choices=("staff", "everyone"),
        help="who must have a passkey or an app with codes: staff, or players too (staff)",
    )
    command.add_argument("--stolen-passwords", metavar=FILE, help=STOLEN)
    command.add_argument(
        "--absent",
        metavar="MINUTES",
        default="5",
        help="free a seat at a drawn table whose player's last screen has been gone for so long;"
        " 0 keeps it (5)",
    )
    command.add_argument(
        "--highest-bet",
        metavar="AMOUNT",
        help="the highest bet that the law allows, in units; a table whose book has such a law"
        " is set up with no maximum above it",
    )
    command.add_argument(
        "--log",
        metavar=FILE,
        help="append a log of the server, one line of JSON each; - is the standard error",
    )
    command.add_argument(
        "--metrics",
        metavar="[HOST:]PORT",
        help="serve metrics and health checks on a port of their own",
    )


def add_house(commands: Commands) -> None:
    """`novamas house`."""
    command = add_command(
        commands,
        "house",
        "register the first chiefs, give a chief a new password, or change the key of the ball",
        "house init house.db --chief Vera --chief Dino",
        'house password house.db --chief Vera --reason "lost the notebook"',
        'house rekey house.db --new-ball-key new.ball-key --reason "the yearly change"',
    )
    command.add_argument(
        "what",
        metavar="WHAT",
        choices=["init", "password", "rekey"],
        help="init registers the chiefs; password replaces a lost one; rekey changes the key of the"
        " ball",
    )
    command.add_argument("store", metavar=FILE, help=STORE)
    command.add_argument(
        "--chief",
        metavar="NAME",
        action="append",
        help="a chief's name; init takes two, because registering staff takes two people",
    )
    command.add_argument(
        "--reason", metavar="TEXT", help="why it is done; the register keeps the reason"
    )
    command.add_argument("--stolen-passwords", metavar=FILE, help=STOLEN)
    command.add_argument(
        "--ball-key", metavar=KEY, help=f"rekey: the old key (a file beside the store): {KEYS}"
    )
    command.add_argument("--new-ball-key", metavar=KEY, help="rekey: the new key, a KEY likewise")


def add_tell(commands: Commands) -> None:
    """`novamas tell`."""
    command = add_command(
        commands,
        "tell",
        "send one command to a table of a running house, as the person who signed in",
        "tell https://house.example.org mesa OpenBank amount=100000 --token cashier.token",
        "tell https://house.example.org mesa CloseTable --token chief.token --json",
    )
    command.add_argument("url", metavar="URL", help="the address of the house")
    command.add_argument("table", metavar="TABLE", help="the table's name")
    command.add_argument(
        "do", metavar="COMMAND", help="the command's name in the socket's protocol"
    )
    command.add_argument("fields", metavar="FIELD=VALUE", nargs="*", help="the command's fields")
    command.add_argument(
        "--token", metavar=FILE, required=True, help="a file with the token of a sign-in"
    )
    command.add_argument(
        "--id", metavar="ID", help="an id for the command: sent again, it happens only once"
    )
    add_json(command)


def add_verify(commands: Commands) -> None:
    """`novamas verify` and what it verifies."""
    command = add_command(
        commands,
        "verify",
        "verify what a house has written: its logs, its ledger, the ball, or all of it",
        "verify house house.db --checkpoints elsewhere/house.checkpoints",
        "verify log house.db",
        "verify ledger house.db ar --json",
        "verify ball house.db ar --coup 12",
    )
    kinds = command.add_subparsers(dest="what", metavar="WHAT", title="what", required=True)
    log = add_command(
        kinds,
        "log",
        "verify that the logs are whole, and that they replay to what was played",
        "verify log house.db",
        "verify log house.db --checkpoints elsewhere/house.checkpoints",
    )
    _add_store(log, ONE_LOG)
    _add_checkpoints(log)
    add_json(log)
    ledger = add_command(
        kinds,
        "ledger",
        "verify that every account is right to the last chip, and that no money was made or lost",
        "verify ledger house.db",
        "verify ledger house.db ar --json",
    )
    _add_store(ledger, ONE_LOG)
    add_json(ledger)
    ball = add_command(
        kinds,
        "ball",
        "verify that every drawn number follows from what the house had committed to",
        "verify ball house.db",
        "verify ball house.db ar --coup 12",
    )
    _add_store(ball, "one table (all tables)")
    ball.add_argument("--coup", metavar="N", help="show how the number of this one coup came about")
    add_json(ball)
    house = add_command(
        kinds,
        "house",
        "verify logs, ledger and ball together, as of one moment",
        "verify house house.db",
        "verify house house.db --checkpoints elsewhere/house.checkpoints --json",
    )
    house.add_argument("store", metavar=FILE, help=STORE)
    _add_checkpoints(house)
    add_json(house)


def _add_store(command: Parser, one: str) -> None:
    command.add_argument("store", metavar=FILE, help=STORE)
    command.add_argument("table", metavar="TABLE", nargs="?", help=one)


def _add_checkpoints(command: Parser) -> None:
    command.add_argument(
        "--checkpoints",
        metavar=FILE,
        help="compare the logs with the checkpoints that `serve --checkpoints` wrote to FILE",
    )
    command.add_argument("--checkpoints-key", metavar=KEY, help=CHECKPOINTS_KEY)


def add_backup(commands: Commands) -> None:
    """`novamas backup`."""
    command = add_command(
        commands,
        "backup",
        "copy a whole house to a file while it runs, and verify the copy",
        "backup house.db monday.db",
        "backup postgresql://house@127.0.0.1/house monday.db",
    )
    command.add_argument("store", metavar=FILE, help=STORE)
    command.add_argument("file", metavar=FILE, help="the new file; it is a house's store itself")
    add_json(command)


def add_restore(commands: Commands) -> None:
    """`novamas restore`."""
    command = add_command(
        commands,
        "restore",
        "restore a house from a backup into an empty store, and verify it",
        "restore monday.db house.db",
        "restore monday.db postgresql://house@127.0.0.1/house",
    )
    command.add_argument("file", metavar=FILE, help="a file that `novamas backup` has written")
    command.add_argument("store", metavar=FILE, help="a new file, or an empty database")
    add_json(command)
