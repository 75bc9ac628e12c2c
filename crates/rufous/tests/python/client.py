"""Plays, analyses, ponders and uses Chess960 through the engine given as the argument.

python-chess is a client that nobody of this project wrote. It complains on the log about every line
that it does not understand, and here a complaint is a failure.
"""

import logging
import sys

import chess
import chess.engine


class Complaints(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.heard = []

    def emit(self, record):
        self.heard.append(record.getMessage())


def play_game(engine):
    board = chess.Board()
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < 60:
        clock = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02)
        result = engine.play(board, clock, game=game, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves, (board.fen(), result)
        assert "score" in result.info and result.info["pv"][0] == result.move, result
        board.push(result.move)
    assert board.ply() > 8


def analyse_lines(engine):
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    infos = engine.analyse(board, chess.engine.Limit(depth=8), multipv=4)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4]
    firsts = [info["pv"][0] for info in infos]
    assert len(set(firsts)) == 4
    for info in infos:
        line = board.copy()
        for move in info["pv"]:
            assert move in line.legal_moves
            line.push(move)

    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    info = engine.analyse(board, chess.engine.Limit(nodes=2000), root_moves=wanted)
    assert info["pv"][0] in wanted

    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 6:
                break


def ponder(engine):
    board = chess.Board()
    game = object()
    for reply in range(12):
        limit = chess.engine.Limit(white_clock=1, black_clock=1)
        result = engine.play(board, limit, game=game, ponder=True)
        board.push(result.move)
        if board.is_game_over():
            break
        # Every other time the expected move is played, so that there are hits and misses.
        if result.ponder and reply % 2 == 0:
            board.push(result.ponder)
        else:
            board.push(list(board.legal_moves)[reply % board.legal_moves.count()])
        if board.is_game_over():
            break


def chess960(engine):
    for number in (0, 518, 700, 959):
        board = chess.Board.from_chess960_pos(number)
        game = object()
        while not board.is_game_over() and board.ply() < 20:
            result = engine.play(board, chess.engine.Limit(nodes=500), game=game)
            assert result.move in board.legal_moves, (board.fen(), result)
            board.push(result.move)
    board = chess.Board("4k3/8/8/8/8/8/5PPP/5K1R w H - 0 1", chess960=True)
    castling = chess.Move.from_uci("f1h1")
    result = engine.play(board, chess.engine.Limit(depth=3), root_moves=[castling])
    assert result.move == castling and board.is_castling(result.move)


def main():
    complaints = Complaints()
    logging.getLogger("chess.engine").addHandler(complaints)
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=60) as engine:
        engine.configure({"Hash": 8, "Threads": 2, "Move Overhead": 20, "UCI_ShowWDL": True})
        engine.ping()
        play_game(engine)
        analyse_lines(engine)
        ponder(engine)
        chess960(engine)
    assert not complaints.heard, complaints.heard


main()
