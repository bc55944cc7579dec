"""The kinds of transfer that credit somebody, read from the source of the two ledgers.

A kind is an event, an account that gives and an account that is given to. They are read from the
code itself and not from a run, so that a kind is found that no test has ever moved.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType

from novamas.house.people import state
from novamas.house.table.events import EVENTS
from novamas.table import accounts
from novamas.table.events import Event, StakePlaced

Kind = tuple[str, str, str]
"""The event, the account that gives, the account that is given to."""

OWN = frozenset(("purse", "custody", "wallet"))
"""The accounts of what is somebody's own."""
CALLS = {
    "purse": {"purse"},
    "custody": {"custody"},
    "wallet": {"wallet"},
    "owner": {"purse", "elsewhere"},
    "table_account": {"table"},
}
LOCAL = {"lies": {"cloth", "prison"}, "source": {"cash", "play money"}}
"""What the ledgers' functions call an account of several kinds."""
SIGNED = frozenset(("WrongPaymentMade", "WrongPaymentCorrected", "BoxEmptied"))
"""Events whose amounts may be below zero: they move the other way round too."""


def all_credits() -> set[Kind]:
    """Those of the tables' events and of the register's."""
    kinds = {kind for event in EVENTS.values() for kind in _kinds_of_event(event)}
    tree = ast.parse(inspect.getsource(state))
    for function in ("transfers", "_carried_transfers"):
        kinds |= set(_kinds(tree, function, state))
    found = {kind for kind in kinds if kind[2] in OWN}
    return {kind for kind in found if kind[1] not in OWN or kind[1] != kind[2]}


def _body(function: Callable[..., object]) -> list[ast.stmt]:
    (found,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(found, ast.FunctionDef)
    return found.body


def _kinds_of_event(event: type[Event]) -> Iterator[Kind]:
    """What an event's own `move` moves."""
    if event.move is Event.move:
        return
    module = sys.modules[event.__module__]
    for source, target in _moves(_body(event.move), {}, module):
        yield event.__name__, source, target
        if event.__name__ in SIGNED:
            yield event.__name__, target, source


def _kinds(tree: ast.Module, function: str, module: ModuleType) -> Iterator[Kind]:
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    (match,) = (node for node in ast.walk(functions[function]) if isinstance(node, ast.Match))
    for case in match.cases:
        events = sorted(_events(case.pattern))
        for source, target in _moves(case.body, functions, module):
            for event in events:
                yield event, source, target
                if event in SIGNED:
                    yield event, target, source


def _events(pattern: ast.pattern) -> set[str]:
    return {
        node.cls.attr
        for node in ast.walk(pattern)
        if isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Attribute)
    }


def _moves(
    body: list[ast.stmt], functions: Mapping[str, ast.FunctionDef], module: ModuleType
) -> Iterator[tuple[str, str]]:
    """What is moved in some statements, and in the functions that they call."""
    for call in (node for each in body for node in ast.walk(each) if isinstance(node, ast.Call)):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if method == "settle":
            # The lines of a settlement, which move alike whatever event settles them.
            whole, short = accounts.Transfers._settle, accounts.Transfers.settle
            yield from _moves(_body(whole), {}, accounts)
            yield from _moves(_body(short), {}, accounts)
            yield from _ways(_body(short), accounts)
        elif method == "move" and len(call.args) == 2:
            # The stakes of an announcement move as each of them does.
            yield from _moves(_body(StakePlaced.move), {}, sys.modules[StakePlaced.__module__])
        elif method == "move" or name == "Transfer":
            for source in _accounts(call.args[0], module):
                for target in _accounts(call.args[1], module):
                    yield source, target
        elif name in functions and name not in CALLS:
            yield from _moves(functions[name].body, functions, module)


def _ways(body: list[ast.stmt], module: ModuleType) -> Iterator[tuple[str, str]]:
    """The pairs of accounts that `ways` has, between which the short way moves."""
    for each in (node for one in body for node in ast.walk(one) if isinstance(node, ast.Assign)):
        (target,) = each.targets
        if isinstance(target, ast.Subscript) and ast.unparse(target.value) == "ways":
            assert isinstance(each.value, ast.Tuple)
            for pair in each.value.elts:
                assert isinstance(pair, ast.Tuple)
                giver, taker = pair.elts
                for source in _accounts(giver, module):
                    for to in _accounts(taker, module):
                        yield source, to


def _accounts(node: ast.expr, module: ModuleType) -> set[str]:
    """The kinds of account that an expression may be; one that is not understood is an error."""
    if isinstance(node, ast.IfExp):
        return _accounts(node.body, module) | _accounts(node.orelse, module)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return CALLS[node.func.id]
    if isinstance(node, ast.Name):
        return LOCAL[node.id] if node.id in LOCAL else {str(getattr(module, node.id))}
    raise LookupError(f"which account is {ast.unparse(node)}?")
