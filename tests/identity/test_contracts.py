"""Tests both contracts with schemathesis: every call gets valid and invalid input, signed in as a user and as an
operator. No response is a 5xx, every success matches its schema, and every refusal states a reason.

A few examples per call; XUANLAN_EXAMPLES=200 for a longer run."""

import hmac
import json
import os
import time
import unittest
import warnings
from urllib.parse import quote, urlencode

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode


from world import OPERATOR_PASSWORD, ROOT, SUCCESS, hkdf, sha256, site

EXAMPLES = int(os.environ.get("XUANLAN_EXAMPLES", 2))
#: Values of path parameters.
IN_PATHS = {"operation": "follow", "suffix": "add"}
#: Sent in all fields of a call at once.
WRONG = ["", "x", "-1", "99999999999999999999", "-9223372036854775808", "1e309", "\x00", "\u202e=1+1<img src=x onerror=alert(1)>", "' OR 1=1 --", "长" * 3000]
#: U01 returns this where all others return 60000.
ALSO_SUCCESS = 200
#: Calls that end the session, which the others need.
LAST = {"X07", "K04"}


def text(value: object) -> str:
    """A form value as pages encode it."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return json.dumps(value, ensure_ascii=True)



def raw(body: object) -> bytes:
    """The body of a JSON call; other bodies are unchanged."""
    if isinstance(body, bytes):
        return body
    return json.dumps(body if isinstance(body, (dict, list, str, int, float)) else {}, ensure_ascii=True).encode()


class Contract:
    """Calls of one contract; `ask` of a subclass signs and sends schemathesis' requests."""

    def __init__(self, file: str):
        self.schema = schemathesis.openapi.from_path(ROOT / "proto" / file)
        self.http = requests.Session()
        operations = [found.ok() for found in self.schema.get_all_operations()]
        name = lambda operation: operation.definition.raw["x-call"]
        self.operations = sorted(operations, key=lambda operation: (name(operation) in LAST, name(operation)))

    def judge(self, operation, case) -> None:
        answer = self.ask(case)
        call = operation.definition.raw["x-call"]
        said = f"{call} {answer.status_code} {answer.text[:600]} to {case.body!r:.600}"
        assert answer.status_code < 500, said
        told = answer.json()
        if told["resp_code"] in (SUCCESS, ALSO_SUCCESS):
            assert answer.status_code == 200, said
            operation.validate_response(answer)
            return
        assert isinstance(told["resp_code"], int), said
        assert any("\u4e00" <= letter <= "\u9fff" for letter in told["resp_msg"]), said
        assert "panic" not in answer.text and ".rs:" not in answer.text, said

    def try_out(self, operation) -> None:
        content = operation.definition.raw.get("requestBody", {}).get("content", {})
        modes = [GenerationMode.POSITIVE]
        # Form values are texts, so all fit the schema: invalid ones are in WRONG.
        if "application/json" in content:
            modes.append(GenerationMode.NEGATIVE)
        for mode in modes:

            @seed(13)
            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                database=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def tried(case):
                self.judge(operation, case)

            tried()
        for [reference] in ([schema["schema"]["$ref"]] for schema in content.values()):
            fields = self.schema.raw_schema["components"]["schemas"][reference.rpartition("/")[2]].get("properties", {})
            for wrong in WRONG if fields else []:
                body = dict.fromkeys(fields, wrong)
                parameters = {name: value for name, value in IN_PATHS.items() if f"{{{name}}}" in operation.path}
                media_type = next(iter(content))
                self.judge(operation, operation.Case(path_parameters=parameters, body=body, media_type=media_type))


class Public(Contract):
    def __init__(self):
        super().__init__("openapi.json")
        self.person = site().person()

    def signed_in(self) -> None:
        """The previous call may have ended the session, or the account."""
        if self.person.answer("A17")["status"] != 200:
            self.person = site().person()

    def ask(self, case) -> requests.Response:
        config, path = self.person.config, case.formatted_path
        headers = {"client-id": config["clientId"], "client-secret": config["clientSecret"]}
        if self.person.token:
            headers["authorization"] = f"Bearer {self.person.token}"
        body = case.body if isinstance(case.body, dict) else {}
        if case.media_type == "application/json":
            # As below: another owner would be refused before any other check.
            own = {"userId": self.person.login_id} if body.get("userId") else {}
            data = raw(body | own if own else case.body)
            headers |= {"content-type": "application/json", "md5": self.sealed(path, data)}
        else:
            form = {text(name): text(value) for name, value in body.items() if value is not None and name != "D"}
            # Another owner would be refused before any other check.
            if form.get("userId"):
                form["userId"] = self.person.login_id
            form["D"] = self.person._signature(config, path, form)
            data = urlencode(form, quote_via=quote)
            headers["content-type"] = "application/x-www-form-urlencoded"
        return self.http.post(f"{site().address}{path}", data=data, headers=headers, timeout=30)

    def sealed(self, path: str, body: bytes) -> str:
        """The header of a JSON body (docs/signature.md)."""
        config, salt, now = self.person.config, os.urandom(16), time.time_ns() // 1_000_000
        key = hkdf(config["clientSecret"], salt, f"d3sig/1/md5\n{config['clientId']}\n{config['kid']}", 32)
        token = sha256(self.person.token) if self.person.token else "-"
        signed = f"d3sig/1\nPOST\n{path}\n\n{config['clientId']}\n{token}\n{now}\n{sha256(body)}"
        return f"1.{config['kid']}.{now}.{salt.hex()}.{hmac.new(key, signed.encode(), 'md5').hexdigest()}"


class Console(Contract):
    def __init__(self):
        super().__init__("openapi-console.json")
        self.operator = site().operator("schemathesis")

    def signed_in(self) -> None:
        if self.operator.answer("K06")["status"] != 200:
            # A recovery code, which needs no wait for the app's next one.
            form = {"name": self.operator.name, "password": OPERATOR_PASSWORD, "code": self.operator.recovery_codes.pop()}
            self.operator.token = self.operator.call("K03", **form)["token"]

    def ask(self, case) -> requests.Response:
        headers = {"content-type": "application/json", "authorization": f"Bearer {self.operator.token}"}
        return self.http.post(f"{site().console}{case.formatted_path}", data=raw(case.body), headers=headers, timeout=30)


class Contracts(unittest.TestCase):
    def hold(self, contract: Contract, least: int) -> None:
        self.assertGreaterEqual(len(contract.operations), least)
        for operation in contract.operations:
            with self.subTest(operation.definition.raw["x-call"]), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                contract.signed_in()
                contract.try_out(operation)

    def test_the_sites(self):
        self.hold(Public(), 100)

    def test_the_consoles(self):
        self.hold(Console(), 25)
