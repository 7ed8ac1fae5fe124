"""A virtual display for tests: `start FILE XVFB`, `run FILE COMMAND...`, `stop FILE`. FILE stores
the number of the display and its process id."""
import json
import os
import signal
import subprocess
import sys


def start(path, server):
    read, write = os.pipe()
    process = subprocess.Popen(
        [server, "-displayfd", str(write), "-noreset", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
        pass_fds=[write], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True)
    os.close(write)
    with os.fdopen(read) as answer:
        number = answer.readline().strip()
    if not number:
        sys.exit("the virtual display did not start")
    with open(path, "w") as out:
        json.dump({"display": ":" + number, "pid": process.pid}, out)


def stop(path):
    with open(path) as source:
        os.kill(json.load(source)["pid"], signal.SIGTERM)
    os.remove(path)


def run(path, command):
    with open(path) as source:
        os.environ["DISPLAY"] = json.load(source)["display"]
    sys.exit(subprocess.call(command))


if __name__ == "__main__":
    verb, state = sys.argv[1:3]
    if verb == "start":
        start(state, sys.argv[3])
    elif verb == "stop":
        stop(state)
    else:
        run(state, sys.argv[3:])
