"""A client of the gateway, written from docs/signature.md: calls are named by their id in proto/catalogue.tsv."""

import base64
import contextlib
import functools
import hashlib
import hmac
import http.client
import json
import os
import re
import time
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

ROOT = Path(__file__).resolve().parents[2]
SUCCESS = 60000
# The gateway's replay memory started after this signature was made: sign again.
STALE = 60303
SANDBOX_S = 20


@functools.cache
def paths() -> dict[str, str]:
    rows = [line.split("\t") for line in (ROOT / "proto/catalogue.tsv").read_text().splitlines()]
    return {row[0]: row[1] for row in rows if len(row) > 1 and row[1].startswith("/")}


def sha256(data: bytes | str) -> str:
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def hkdf(secret: str, salt: bytes, info: str, length: int) -> bytes:
    key = hmac.digest(salt, secret.encode(), "sha256")
    block, found = b"", b""
    counter = 1
    while len(found) < length:
        block = hmac.digest(key, block + info.encode() + bytes([counter]), "sha256")
        found += block
        counter += 1
    return found[:length]


def sealer(secret: str, salt: bytes, info: str) -> tuple[AESGCM, bytes]:
    material = hkdf(secret, salt, info, 44)
    return AESGCM(material[:32]), material[32:]


def json_of(url: str, body: object | None = None) -> object:
    data = None if body is None else json.dumps(body).encode()
    headers = {} if body is None else {"content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=20) as answer:
        return json.load(answer)


def eventually(what: str, look, seconds: float = 60):
    """The result of `look`, polled until there is one."""
    until = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError):
            if (found := look()) is not None:
                return found
        if time.monotonic() > until:
            raise AssertionError(f"waited in vain: {what}")
        time.sleep(0.1)


class Refused(Exception):
    """A response that is not a success."""


class Client:
    """A user of one or several gateways, of which only those that report ready are used, like a load balancer does."""

    def __init__(self, sites: list[str], sandbox: str):
        self.sites, self.sandbox = sites, sandbox
        self.token = self.login_id = ""
        self.at = 0
        self.config = self._config()

    def _config(self) -> dict:
        return json.loads(self._send("GET", "/config.json", None, {})[1])

    def _send(self, method: str, path: str, body: str | None, headers: dict) -> tuple[int, bytes]:
        for _ in range(100):
            self.at = (self.at + 1) % len(self.sites)
            site = urlsplit(self.sites[self.at]).netloc
            with contextlib.suppress(OSError, http.client.HTTPException):
                if self._request(site, "GET", "/readyz")[0] == 200:
                    break
            time.sleep(0.05)
        return self._request(site, method, path, body, headers)

    @staticmethod
    def _request(site: str, method: str, path: str, body: str | None = None, headers: dict | None = None) -> tuple[int, bytes]:
        with contextlib.closing(http.client.HTTPConnection(site, timeout=30)) as connection:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()

    def _signature(self, config: dict, path: str, form: dict[str, str]) -> str:
        encoded = sorted((quote(name, safe="~"), quote(value, safe="~")) for name, value in form.items())
        digest = sha256("\n" + "&".join(f"{name}={value}" for name, value in encoded))
        salt = os.urandom(16)
        cipher, iv = sealer(config["clientSecret"], salt, f"d3sig/1/enc\n{config['clientId']}\n{config['kid']}")
        token = sha256(self.token) if self.token else "-"
        known = f"d3sig/1\nPOST\n{path}\n{config['clientId']}\n{token}"
        plain = f"{time.time_ns() // 1_000_000}\n{digest}"
        sealed = salt + cipher.encrypt(iv, plain.encode(), known.encode())
        return f"1.{config['kid']}.{base64.urlsafe_b64encode(sealed).rstrip(b'=').decode()}"

    def answer(self, call: str, **form) -> dict:
        """The whole response with its `status`."""
        # Path parameters are taken from the form; without a value the placeholder stays.
        path = re.sub(r"\{(\w+)\}", lambda part: quote(str(form.pop(part[1], part[0])), safe="{}"), paths()[call])
        config = self.config
        form = {name: str(value) for name, value in form.items()}
        if self.login_id:
            form.setdefault("userId", self.login_id)
        form["D"] = self._signature(config, path, form)
        headers = {
            "client-id": config["clientId"],
            "client-secret": config["clientSecret"],
            "content-type": "application/x-www-form-urlencoded",
        }
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        status, body = self._send("POST", path, urlencode(form, quote_via=quote), headers)
        return {"status": status, **json.loads(body)}

    def call(self, call: str, **form):
        """`datas` of a call that has to succeed."""
        answer = self.answer(call, **form)
        if answer["resp_code"] == STALE:
            answer = self.answer(call, **form)
        if answer["status"] != 200 or answer["resp_code"] != SUCCESS:
            raise Refused(f"{call} answered {answer}")
        return answer["datas"]

    def reload(self) -> None:
        """Like a newly opened page: with the current keys."""
        self.config = self._config()

    # ---- a person

    def ticket(self) -> str:
        challenge = self.call("X06", kind="slide")
        x = eventually("the puzzle's answer", lambda: json_of(f"{self.sandbox}/slider?id={challenge['id']}"), SANDBOX_S)["x"]
        eased = [(i / 39) ** 2 * (3 - 2 * i / 39) for i in range(40)]
        track = [[round(x * share), i % 3, i * 22 + i % 4] for i, share in enumerate(eased)]
        told = json.dumps({"id": challenge["id"], "x": x, "track": track}, separators=(",", ":"))
        verdict = self.call("A08", nvcdata=told)
        assert int(verdict) == 100, verdict
        return challenge["id"]

    def register(self, phone: str, password: str) -> "Client":
        key = self.call("A02", phone=phone, type="register", nvcTicket=self.ticket())
        messages = lambda: json_of(f"{self.sandbox}/sms?phone={phone}") or None
        code = eventually("the code", messages, SANDBOX_S)[0]["code"]
        form = {"phoneno": phone, "verifycode": code, "password": password, "smsKey": key, "professionCode": "modeler"}
        return self._enter(self.call("A06", **form))

    def sign_in(self, phone: str, password: str) -> "Client":
        return self._enter(self.call("A03", username=phone, password=password))

    def _enter(self, datas: str) -> "Client":
        told = json.loads(datas)
        self.token, self.login_id = told["access_token"], str(told["loginId"])
        return self

    # ---- models

    def _opened(self, field: str, value: str) -> str:
        _, kid, sealed = value.split(".")
        raw = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
        cipher, iv = sealer(self.token, raw[:16], f"d3cred/1\n{self.config['clientId']}\n{kid}")
        return cipher.decrypt(iv, raw[16:], f"d3cred/1\n{field}\n{self.login_id}".encode()).decode()

    def upload(self, name: str, data: bytes) -> str:
        """Uploads a file to the store and starts its check; returns its id."""
        told = self.call("P39")
        fields = ["ak", "sk", "securityToken", "server", "privateBucket"]
        grant = {field: self._opened(field, told[field]) for field in fields}
        key = f"u/{self.login_id}/{sha256(data)[:16]}/{name}"
        put(grant, key, data)
        kind = name.rpartition(".")[2]
        bucket = grant["privateBucket"]
        taken = self.call(
            "R02", fileName=name, fileSize=len(data), fileUrl=f"{bucket}/{key}", format=kind, bucketName=bucket,
            modelType=1, fileSource=1,
        )
        return taken if isinstance(taken, str) else str(taken.get("fileId", taken))


def put(grant: dict[str, str], key: str, data: bytes) -> None:
    """PUT of an object with S3's signature (SigV4)."""
    server = urlsplit(grant["server"])
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    path = f"/{quote(grant['privateBucket'])}/{quote(key)}"
    headers = {"host": server.netloc, "x-amz-content-sha256": sha256(data), "x-amz-date": moment}
    if grant["securityToken"]:
        headers["x-amz-security-token"] = grant["securityToken"]
    names = ";".join(sorted(headers))
    canonical = "\n".join(["PUT", path, "", *(f"{name}:{headers[name]}" for name in sorted(headers)), "", names, sha256(data)])
    scope = f"{moment[:8]}/us-east-1/s3/aws4_request"
    secret = f"AWS4{grant['sk']}".encode()
    for part in scope.split("/"):
        secret = hmac.digest(secret, part.encode(), "sha256")
    text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{sha256(canonical)}"
    signature = hmac.new(secret, text.encode(), "sha256").hexdigest()
    headers["authorization"] = f"AWS4-HMAC-SHA256 Credential={grant['ak']}/{scope}, SignedHeaders={names}, Signature={signature}"
    del headers["host"]
    request = urllib.request.Request(f"{grant['server']}{path}", data, headers, method="PUT")
    urllib.request.urlopen(request, timeout=30).close()
