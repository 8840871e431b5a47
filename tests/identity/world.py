"""The product under test in this folder: one program on a fresh data folder, with third-party stand-ins for Aliyun's SMS service
and for a mail server to test what it sends. Started by the first test that needs it, stopped when Python exits."""

import atexit
import contextlib
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pyotp
from aiosmtpd.controller import Controller

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/operations"))

import installation  # noqa: E402
from client import Client, Refused, eventually, hkdf, json_of, put, sha256  # noqa: E402, F401

PASSWORD = "zhuren-2026"
OPERATOR_PASSWORD = "correct horse battery staple"
SUCCESS = 60000
#: Credentials of the sandbox's clients (services/sandbox/src/social, aliyun.rs): not secret.
WECHAT = ("wx0sandbox0000001", "sandbox-wechat-secret")
QQ = ("100000001", "sandbox-qq-secret")
ALIYUN = ("sandbox-access-key", "sandbox-access-key-secret")


class Mailbox:
    """Mails received by a third-party mail server."""

    def __init__(self):
        self.envelopes = []

    async def handle_DATA(self, _server, _session, envelope):
        self.envelopes.append(envelope)
        return "250 kept"


@dataclass
class Site:
    address: str
    sandbox: str
    sandbox_mail: int
    console: str
    data: Path
    program: Path
    mailbox: Mailbox
    people: int = field(default=0)

    def client(self) -> Client:
        return Client([self.address], self.sandbox)

    def person(self) -> Client:
        """A new user, signed in."""
        self.people += 1
        person = self.client()
        person.phone = f"139{self.people:08}"
        return person.register(person.phone, PASSWORD)

    def sms(self, phone: str) -> list:
        return json_of(f"{self.sandbox}/sms?phone={phone}")

    def operator(self, name: str, *roles: str) -> "Operator":
        return Operator(self, name, roles).enrol()


def provider(name: str, application: tuple[str, str], sandbox: str, page: str) -> str:
    """The section of a provider played by the sandbox."""
    own = f"{sandbox}/social/{name}"
    return (
        f"[auth.{name}]\napp_id = '{application[0]}'\nsecret = '{application[1]}'\nauthorize_url = '{own}/{page}'\n"
        f"api = '{own}'\npicture_hosts = ['{sandbox.removeprefix('http://')}']\n"
    )


_begun: list = []


def site() -> Site:
    """The shared site. A failed start is not retried."""
    if not _begun:
        try:
            _begun.append(start())
        except BaseException as error:
            _begun.append(error)
    if isinstance(_begun[0], BaseException):
        raise AssertionError("the site does not start") from _begun[0]
    return _begun[0]


def start() -> Site:
    program = Path(os.environ.get("XUANLAN_BIN") or installation.TARGET / "xuanlan")
    folder = tempfile.TemporaryDirectory(prefix="xuanlan-identity-")
    atexit.register(folder.cleanup)
    first = int(os.environ.get("XUANLAN_IDENTITY_PORT", 0)) or installation.free_ports()
    mailbox = Mailbox()
    # In the block of ports that is free from the first on, after those used by the program.
    judge = Controller(mailbox, hostname="127.0.0.1", port=first + 10)
    judge.start()
    atexit.register(judge.stop)
    at = lambda beside: f"http://127.0.0.1:{first + beside}"
    data = Path(folder.name) / "data"
    settings = {
        # All users share one address here.
        "AUTH__SMS__RESEND_SECONDS": 0,
        "AUTH__SMS__PER_NUMBER_HOUR": 100,
        "AUTH__SMS__PER_ADDRESS_HOUR": 1000,
        "AUTH__SMS__PER_ADDRESS_DAY": 1000,
        **{
            f"GATEWAY__RATE__{kind}__{whose}": 100_000
            for kind in ("NORMAL", "SIGN_IN", "SMS", "HEAVY")
            for whose in ("ADDRESS", "USER")
        },
        # `xuanlan run --sandbox-port` would let the sandbox show codes itself: here the real adapters send them.
        "SANDBOX__ENABLED": "true",
        "SANDBOX__LISTEN": f"127.0.0.1:{first + 2}",
        "AUTH__SLIDER__REVEAL": "true",
        "AUTH__SMS__SENDER": "aliyun",
        "AUTH__SMS__ALIYUN__ENDPOINT": at(2),
        "AUTH__SMS__ALIYUN__ACCESS_KEY_ID": ALIYUN[0],
        "AUTH__SMS__ALIYUN__ACCESS_KEY_SECRET": ALIYUN[1],
        "AUTH__SMS__ALIYUN__SIGN_NAME": "玄览云",
        "AUTH__SMS__ALIYUN__TEMPLATE": "SMS_1",
        "AUTH__MAIL__SENDER": "smtp",
        "AUTH__MAIL__SMTP__HOST": "127.0.0.1",
        "AUTH__MAIL__SMTP__PORT": first + 10,
        "AUTH__MAIL__SMTP__SECURITY": "none",
        "AUTH__MAIL__SMTP__FROM": "玄览云 <no-reply@xuanlan.test>",
        "SANDBOX__MAIL_LISTEN": f"127.0.0.1:{first + 11}",
    }
    environment = os.environ | {f"XUANLAN__{name}": str(value) for name, value in settings.items()}
    data.mkdir()
    # Settings for the channels played by the sandbox, as in an installation of several processes.
    command = [program, "sandbox", "keys", "--address", at(2)]
    own = os.environ | {"XUANLAN__DATA__DIR": str(data), "XUANLAN__SANDBOX__ENABLED": "true", "XUANLAN__SITE__PUBLIC_ADDRESS": at(0)}
    keys = subprocess.run(command, check=True, capture_output=True, text=True, env=own, timeout=60).stdout
    config = Path(folder.name) / "config.toml"
    config.write_text(keys + provider("wechat", WECHAT, at(2), "connect/qrconnect") + provider("qq", QQ, at(2), "oauth2.0/authorize"))
    log = tempfile.TemporaryFile("w+")
    words = ["--port", str(first), "--data", str(data), "--frontend", str(ROOT / "frontend/dist"), "--no-demo", "--no-sandbox"]
    words += ["--config", str(config)]
    process = subprocess.Popen(
        [program, "run", *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment
    )

    def stop():
        process.terminate()
        try:
            process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            process.kill()

    atexit.register(stop)

    def said() -> str:
        log.seek(0)
        return log.read()

    def ready():
        if process.poll() is not None:
            raise AssertionError(said()[-4000:])
        return json_of(f"{at(0)}/config.json")

    eventually("the program starts", ready)
    return Site(at(0), at(2), first + 11, at(3), data, program, mailbox)


class App:
    """An authenticator app that shows no code twice: if the current one was used, the next one, which the product accepts too."""

    def __init__(self, secret: str):
        self.totp, self.step = pyotp.TOTP(secret), 0

    def code(self) -> str:
        now = lambda: self.totp.timecode(datetime.now())
        self.step = max(self.step + 1, now())
        # A code more than one step ahead is not accepted.
        eventually("the next code", lambda: self.step <= now() + 1 or None, 40)
        return self.totp.generate_otp(self.step)


@functools.cache
def console_paths() -> dict[str, str]:
    rows = (ROOT / "proto/catalogue-console.tsv").read_text().splitlines()[1:]
    return {row.split("\t")[0]: row.split("\t")[1] for row in rows}


class Operator:
    """An operator at the console, with password and app."""

    def __init__(self, site: Site, name: str, roles: tuple[str, ...]):
        self.site, self.name, self.roles, self.token = site, name, roles, ""

    def answer(self, call: str, **body) -> dict:
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(f"{self.site.console}{console_paths()[call]}", json.dumps(body).encode(), headers)
        with contextlib.ExitStack() as held:
            try:
                told = held.enter_context(urllib.request.urlopen(request, timeout=30))
            except urllib.error.HTTPError as error:
                told = held.enter_context(error)
            return {"status": told.status, **json.load(told)}

    def call(self, call: str, **body):
        answer = self.answer(call, **body)
        if answer["resp_code"] != SUCCESS:
            raise Refused(f"{call} answered {answer}")
        return answer["datas"]

    def enrol(self) -> "Operator":
        words = [self.site.program, "operator", "add", self.name, "--data", self.site.data]
        for role in self.roles:
            words += ["--role", role]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60)
        link = re.search(r"#/enrol/(\S+)", done.stdout)
        assert link, done.stdout + done.stderr
        self.app = App(self.call("K01", link=link[1])["secret"])
        enrolled = self.call("K02", link=link[1], password=OPERATOR_PASSWORD, code=self.app.code())
        self.recovery_codes = enrolled["recoveryCodes"]
        self.token = self.call("K03", name=self.name, password=OPERATOR_PASSWORD, code=self.app.code())["token"]
        return self
