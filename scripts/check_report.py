#!/usr/bin/env python3
"""Looks at report pages as a reader's browser shows them, and names everything that is wrong with them.

    scripts/check_report.py PAGE.html … [--shots DIR]

Every page is shown at four widths, light and dark, and as it is printed. Checked: nothing is asked for from elsewhere,
no errors, every anchor leads somewhere, nothing scrolls sideways but what says so and can be reached by keyboard, every
text has the contrast that WCAG AA asks for, plots and tables have names, headings have no gaps. `--shots` keeps
pictures to look at. First the check is itself checked with a page that has all these faults.
"""

import argparse
import base64
import pathlib
import sys
import tempfile

from browser import Browser, BrowserError

WIDTHS = (360, 800, 1100, 1400)
# What is left of A4 between usual margins, at 96 dots an inch.
PRINTED = 718
VIEWS = [(width, scheme, "screen") for width in WIDTHS for scheme in ("light", "dark")]
VIEWS += [(PRINTED, scheme, "print") for scheme in ("light", "dark")]

# Runs in the page and gives a list of findings.
LOOK = pathlib.Path(__file__).with_name("check_report.js").read_text(encoding="utf-8")

FAULTY = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>faulty</title>
<style>body { color: #111; background: #fff } .pale { color: #ccc } .wide { width: 3000px } .box { overflow-x: auto }
td.pair { color: #d33; background: #c22 }</style></head>
<body><nav>way</nav><h1>one</h1><h3>gap</h3><a href="#nowhere">lost</a><p class="pale">pale</p><div class="wide">wide</div>
<div class="box"><div class="wide">box</div></div><div class="box" tabindex="0"><table class="verdicts"><caption>v</caption>
<tbody><tr><td><div class="wide">verdict</div></td></tr></tbody></table></div><svg role="img" width="9" height="9"><path d="M0 0h9"/></svg>
<table><thead><tr><th>head</th><th>more</th></tr></thead><tbody><tr><td class="pair">cell</td><td>1</td></tr></tbody></table><img src="absent.png" alt="">
<script>console.error("trouble")</script></body></html>"""
EXPECTED = (
    "#nowhere leads nowhere",
    "pale",
    "the page scrolls sideways",
    "the verdict table scrolls sideways",
    "cannot be reached by keyboard",
    "heading h3 after h1",
    "a plot has no name",
    "a table has no caption",
    "th without scope",
    "asks for",
    "trouble",
    "yet printed",
    "cell",
)


def findings(browser, page, shots=None):
    """Everything that is wrong with a page, as lines."""
    browser.look(*VIEWS[0])
    browser.open(page.as_uri())
    found = [f"{page.name}: {line}" for line in unnamed(browser)]
    for width, scheme, media in VIEWS:
        browser.look(width, scheme, media)
        found += [f"{page.name}, {width} px, {scheme}, {media}: {line}" for line in browser.value(LOOK)]
        if shots:
            shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True, format="png")
            name = f"{page.stem}-{width}-{scheme}-{media}.png"
            (shots / name).write_bytes(base64.b64decode(shot["data"]))
    return found + [f"{page.name}: {line}" for line in complaints(browser, page)]


def unnamed(browser):
    """Plots and tables without a name, as a screen reader is told of them."""
    roles = {"image": "a plot has no name", "img": "a plot has no name", "table": "a table has no caption"}
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    said = [
        roles.get(node.get("role", {}).get("value"))
        for node in nodes
        if not node.get("ignored") and not node.get("name", {}).get("value")
    ]
    return sorted(set(filter(None, said)))


def complaints(browser, page):
    """What the page asked for beside itself, and what the browser had to say."""
    asked = [event["request"]["url"] for event in browser.taken("Network.requestWillBeSent")]
    lines = [f"it asks for {url}" for url in asked if url != page.as_uri()]
    for event in browser.taken("Log.entryAdded"):
        lines.append(f"{event['entry']['level']}: {event['entry']['text']}")
    for event in browser.taken("Runtime.consoleAPICalled"):
        said = (str(argument.get("value", argument.get("description"))) for argument in event["args"])
        lines.append(f"console: {' '.join(said)}")
    for event in browser.taken("Runtime.exceptionThrown"):
        lines.append(f"exception: {event['exceptionDetails']['text']}")
    return lines


def blind(browser):
    """The faults that this check does not see."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "faulty.html")
        page.write_text(FAULTY, encoding="utf-8")
        found = findings(browser, page)
    return [fault for fault in EXPECTED if not any(fault in line for line in found)]


def main():
    """Checks every page that is named."""
    parser = argparse.ArgumentParser(description="Checks report pages in a headless browser.")
    parser.add_argument("pages", nargs="+", type=pathlib.Path, metavar="PAGE.html")
    parser.add_argument("--shots", type=pathlib.Path, metavar="DIR", help="keep pictures in this folder")
    asked = parser.parse_args()
    if asked.shots:
        asked.shots.mkdir(parents=True, exist_ok=True)
    try:
        browser = Browser()
    except BrowserError as error:
        sys.exit(f"check_report: {error}")
    try:
        missed = blind(browser)
        if missed:
            sys.exit(f"check_report: the check itself does not see: {'; '.join(missed)}")
        found = [line for page in asked.pages for line in findings(browser, page.resolve(), asked.shots)]
    except BrowserError as error:
        sys.exit(f"check_report: {error}")
    finally:
        browser.close()
    for line in dict.fromkeys(found):
        print(line)
    if found:
        sys.exit(f"check_report: {len(found)} findings on {len(asked.pages)} pages")
    print(f"{len(asked.pages)} pages are as they should be, at {', '.join(map(str, WIDTHS))} px and printed")


if __name__ == "__main__":
    main()
