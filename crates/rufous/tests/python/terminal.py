"""Somebody at a terminal: the engine given as the argument runs on a pseudo-terminal."""

import os
import pty
import select
import subprocess
import sys

master, slave = pty.openpty()
engine = subprocess.Popen([sys.argv[1]], stdin=slave, stdout=slave, close_fds=True)
os.close(slave)
heard = ""


def expect(text):
    global heard
    while text not in heard:
        ready, _, _ = select.select([master], [], [], 60)
        assert ready, f"no '{text}' in:\n{heard}"
        heard += os.read(master, 65536).decode()
    heard = heard.split(text, 1)[1]


def say(line):
    os.write(master, f"{line}\n".encode())


expect("Rufous ")
expect("Type help")
say("wonder")
expect("error: unknown command 'wonder'")
say("help")
expect("Universal Chess Interface")
say("uci")
expect("uciok")
say("wonder")
expect("info string ERROR unknown command 'wonder'")
say("quit")
assert engine.wait(60) == 0
