"""Where figures come from: date, commit, card and command, stored with the rows of a benchmark."""
import datetime
import json
import pathlib
import subprocess
import sys


def said(*command):
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def origin(commit=""):
    """`commit`: for a machine that has the program without the repository."""
    card, _, driver = said("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").split("\n")[0].partition(", ")
    return {"date": datetime.date.today().isoformat(),
            "commit": commit or said("git", "-C", str(pathlib.Path(__file__).parent), "rev-parse", "--short", "HEAD"),
            "card": card, "driver": driver, "command": " ".join([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]])}


def keep(path, name, rows, commit="", **more):
    """Stores the rows of one table, and `more` about it, in a JSON file beside those of others."""
    path = pathlib.Path(path)
    tables = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    tables[name] = {**origin(commit), **more, "rows": rows}
    path.write_text(json.dumps(tables, indent=1) + "\n", encoding="utf-8")
