"""Rufous behind python-chess."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, List, Tuple, Union

from ._programs import path

if TYPE_CHECKING:
    import chess
    import chess.engine

OptionValue = Union[str, int, bool, None]


def popen(**options: OptionValue) -> chess.engine.SimpleEngine:
    """Starts the engine with these options; to be closed by `quit` or by `with`.

    Options whose names have a blank are given as `popen(**{"Move Overhead": 100})`.
    """
    import chess.engine

    engine = chess.engine.SimpleEngine.popen_uci(str(path()))
    try:
        engine.configure(options)
    except BaseException:
        engine.close()
        raise
    return engine


async def popen_async(**options: OptionValue) -> Tuple[asyncio.SubprocessTransport, chess.engine.UciProtocol]:
    """The same for asyncio: the transport and the protocol, as `chess.engine.popen_uci` gives them."""
    import chess.engine

    transport, engine = await chess.engine.popen_uci(str(path()))
    try:
        await engine.configure(options)
    except BaseException:
        transport.close()
        raise
    return transport, engine


def best_move(board: chess.Board, limit: chess.engine.Limit, **options: OptionValue) -> chess.Move:
    """The move that Rufous plays here; ValueError where the game is over."""
    with popen(**options) as engine:
        move = engine.play(board, limit).move
    if move is None:
        raise ValueError(f"there is no move in {board.fen()}")
    return move


def analyse(
    board: chess.Board, limit: chess.engine.Limit, lines: int = 1, **options: OptionValue
) -> List[chess.engine.InfoDict]:
    """The best lines, the best first: dictionaries with `score`, `pv`, `depth` and so on."""
    with popen(**options) as engine:
        return engine.analyse(board, limit, multipv=lines)
