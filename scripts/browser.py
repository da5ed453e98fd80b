"""A headless Chromium that is spoken to over a pipe (DevTools protocol), without any package."""

import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


class BrowserError(Exception):
    """The browser does not do what it is told."""


class Browser:
    """One page; what it complains of and what it asks for is kept until it is taken."""

    def __init__(self, patience=60.0):
        program = next(filter(None, map(shutil.which, NAMES)), None)
        if program is None:
            raise BrowserError(f"no browser: expected one of {', '.join(NAMES)} in PATH; install chromium")
        self.patience = patience
        self.home = tempfile.TemporaryDirectory(prefix="report-browser-")
        # The browser reads what it is told from 3 and answers on 4: ends moved out of the way first.
        ends = [end for pair in (os.pipe(), os.pipe()) for end in pair]
        to_read, self.told, self.answers, to_write = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in ends)
        for end in ends:
            os.close(end)

        def connect():
            os.dup2(to_read, 3)
            os.dup2(to_write, 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self.home.name}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=connect,
            pass_fds=(3, 4),
        )
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")

    def close(self):
        """Ends the browser and forgets its files."""
        for end in (self.told, self.answers):
            os.close(end)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        try:
            self.home.cleanup()
        except OSError:
            pass  # A helper of the browser may still be writing; the system empties the folder some day.

    def call(self, method, **arguments):
        """Does one thing and gives the answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": arguments}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.told, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            self.events.append(answer)

    def next(self):
        """The next message, if one comes in time."""
        end = time.monotonic() + self.patience
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], max(0.0, end - time.monotonic()))[0]:
                raise BrowserError(f"no answer within {self.patience:.0f} s")
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise BrowserError("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def taken(self, *methods):
        """The kept events of these kinds, which are then forgotten."""
        found = [event["params"] for event in self.events if event.get("method") in methods]
        self.events = [event for event in self.events if event.get("method") not in methods]
        return found

    def open(self, url):
        """Loads a page to its end."""
        self.taken("Page.loadEventFired")
        self.call("Page.navigate", url=url)
        while not self.taken("Page.loadEventFired"):
            self.events.append(self.next())

    def look(self, width, scheme, media="screen"):
        """Sets the width of the view, light or dark, screen or print."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)

    def value(self, script):
        """What a script gives, which runs in the page but is no part of it."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(json.dumps(answer["exceptionDetails"])[:400])
        return answer["result"].get("value")
