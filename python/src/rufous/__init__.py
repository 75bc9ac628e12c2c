"""The chess engine Rufous: where its programs are, and helpers for python-chess.

    import rufous
    rufous.path()                       # the engine, for any UCI client
    with rufous.popen(Hash=64) as engine:
        engine.play(board, chess.engine.Limit(time=0.1))

`path` and `study_path` need nothing else; the other functions need python-chess (`pip install rufous[chess]`).
"""

from ._chess import analyse, best_move, popen, popen_async
from ._programs import path, study_path

__all__ = ["analyse", "best_move", "path", "popen", "popen_async", "study_path"]
