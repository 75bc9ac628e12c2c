"""The package: its functions, and the examples of its README."""

import asyncio
import contextlib
import io
import os
import re
import subprocess
import unittest
from pathlib import Path
from unittest import mock

import chess
import chess.engine

import rufous

README = Path(__file__).parent.parent / "README.md"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
LIMIT = chess.engine.Limit(nodes=2000)


class Programs(unittest.TestCase):
    def test_the_engine_is_there_and_speaks_uci(self):
        answer = subprocess.run([rufous.path(), "uci"], capture_output=True, text=True, check=True)
        self.assertTrue(answer.stdout.startswith("id name Rufous "))

    def test_a_variable_names_another_program(self):
        with mock.patch.dict(os.environ, {"RUFOUS_STUDY_PATH": "/else/where"}):
            self.assertEqual(rufous.study_path(), Path("/else/where"))


class PythonChess(unittest.TestCase):
    def test_a_move_is_found(self):
        self.assertEqual(rufous.best_move(chess.Board(MATE_IN_ONE), LIMIT), chess.Move.from_uci("a1a8"))

    def test_a_finished_game_has_no_move(self):
        with self.assertRaises(ValueError):
            rufous.best_move(chess.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), LIMIT)

    def test_lines_come_with_the_best_first(self):
        infos = rufous.analyse(chess.Board(), LIMIT, lines=3, Hash=8)
        self.assertEqual([info["multipv"] for info in infos], [1, 2, 3])

    def test_options_that_do_not_exist_are_refused(self):
        with self.assertRaises(chess.engine.EngineError):
            rufous.popen(NoSuchOption=1)

    def test_the_engine_plays_under_asyncio(self):
        async def play():
            transport, engine = await rufous.popen_async(Hash=8)
            result = await engine.play(chess.Board(MATE_IN_ONE), LIMIT)
            await engine.quit()
            transport.close()
            return result.move

        self.assertEqual(asyncio.run(play()), chess.Move.from_uci("a1a8"))


class Readme(unittest.TestCase):
    def test_the_examples_run(self):
        examples = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
        self.assertEqual(len(examples), 2)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            for example in examples:
                exec(compile(example, str(README), "exec"), {})
        self.assertIn("Ra8#", output.getvalue())


if __name__ == "__main__":
    unittest.main()
