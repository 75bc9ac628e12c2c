"""Reads an annotated file with python-chess and compares it with the original, or with its plain twin where
python-chess does not read the original's dialect.

usage: reread.py ORIGINAL ANNOTATED REVIEW.json
"""

import io
import json
import re
import sys

import chess.pgn


def read(path):
    data = open(path, "rb").read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252")
    stream = io.StringIO(text.replace("\r\n", "\n"))
    games = []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert not game.errors, (path, game.errors)
        games.append(game)
    return games


def words(comment):
    comment = re.sub(r"\[%eval [^\]]*\]", "", comment)
    return re.sub(r"\s+", " ", comment).strip()


def lines(node, path=()):
    """Every node of the tree by the moves that lead to it."""
    yield path, node
    for child in node.variations:
        yield from lines(child, (*path, child.move.uci()))


def compare(original, annotated, review):
    assert [move.uci() for move in original.mainline_moves()] == [move.uci() for move in annotated.mainline_moves()]
    sans = [move["san"] for move in review["moves"]]
    assert sans == [node.san() for node in annotated.mainline()], sans
    there = {}
    for path, node in lines(annotated):
        there.setdefault(path, []).append(node)
    for path, node in lines(original):
        twins = there[path]
        for part in filter(None, [words(node.comment)]):
            # Two comments of a move are one to python-chess, and ours may stand beside them.
            kept = any(part in words(twin.comment) for twin in twins)
            kept = kept or all(any(word in words(twin.comment) for twin in twins) for word in part.split())
            assert kept, (path, part, [twin.comment for twin in twins])
        assert any(node.nags <= twin.nags for twin in twins), (path, node.nags)
        if node.clock() is not None:
            assert any(twin.clock() == node.clock() for twin in twins), path
    for node, move in zip(annotated.mainline(), review["moves"]):
        value = node.eval()
        if value is None:
            assert node.board().is_game_over(), node
        else:
            score = value.white()
            assert move["score"] == ({"mate": score.mate()} if score.is_mate() else {"cp": score.score()})
        if move["judgement"] and move["better"]:
            better = [variation.move for variation in node.parent.variations[1:]]
            assert node.parent.board().parse_san(move["better"]["san"][0]) in better, node


def main():
    original, annotated, review = sys.argv[1:]
    plain = original.removesuffix(".pgn") + ".plain.pgn"
    try:
        open(plain).close()
        before = read(plain)
    except FileNotFoundError:
        before = read(original)
    after = read(annotated)
    reviews = json.load(open(review))
    assert len(before) == len(after) == len(reviews), (len(before), len(after), len(reviews))
    for games in zip(before, after, reviews):
        compare(*games)


main()
