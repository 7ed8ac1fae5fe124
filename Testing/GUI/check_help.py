"""Each source and filter has a page that "?" opens, with the text of each of its properties: `check_help.py QCH XML_FOLDER`."""
import glob
import html
import os
import re
import sqlite3
import sys
import xml.etree.ElementTree as xml
import zlib

file, folder = sys.argv[1:]
help_file = sqlite3.connect(file)
pages = dict(help_file.execute("select n.Name, d.Data from FileNameTable n join FileDataTable d on n.FileId = d.Id"))
checked = 0
failures = []
for path in sorted(glob.glob(os.path.join(folder, "*.xml"))):
    for group in xml.parse(path).getroot().iter("ProxyGroup"):
        for proxy in group if group.get("name") in ("sources", "filters") else ():
            name = f"{group.get('name')}.{proxy.get('name')}.html"
            if name not in pages:
                failures.append(f"{name} is missing")
                continue
            # Qt stores the size in four bytes before the compressed text.
            text = " ".join(html.unescape(html.unescape(zlib.decompress(pages[name][4:]).decode())).split())
            text = re.sub("<[^>]*>", "", text)
            for prop in proxy:
                said = prop.find("Documentation")
                if prop.tag.endswith("VectorProperty") and said is not None and prop.get("panel_visibility") != "never" and prop.get("label"):
                    first = " ".join(said.text.split())[:40].split("*")[0]
                    checked += 1
                    if first not in text:
                        failures.append(f"{name} has no text of {prop.get('name')}: {first!r}")
for failure in failures:
    print("FAILED", failure)
if failures or checked < 100:
    sys.exit(f"{len(failures)} failures of {checked} properties")
print(f"{checked} properties: ALL PASSED")
