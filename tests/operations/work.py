"""Users' data at an installation, and checks that it is still there."""

import html
import re
import subprocess
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from client import Client, eventually
from installation import TARGET

PASSWORD = "beifen-2026"
#: Cents of a recharge, and the price of the basic grade.
RECHARGE, BASIC = 50_000, 29_900


def sample() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gears.glb"
        command = [TARGET / "modelkit", "sample", "gears", path, "--triangles", "2000"]
        subprocess.run(command, check=True, capture_output=True)
        return path.read_bytes()


def fetch(url: str, form: dict[str, str] | None = None) -> str:
    data = urlencode(form).encode() if form else None
    with urllib.request.urlopen(urllib.request.Request(url, data), timeout=20) as answer:
        return answer.read().decode()


def paid(person: Client, order: str) -> bool | None:
    return int(person.call("O02", orderId=order)["status"]) == 1 or None


def order_coins(person: Client, cents: int = RECHARGE) -> str:
    return person.call("P15", amount=cents, orderType=0, rechargePackageType="backup")["orderId"]


def calls_of_every_service(person: Client) -> list:
    """Read calls, one per service behind the gateway."""
    return [
        lambda: person.call("P01"),
        lambda: person.call("X01", pageNo=1, pageSize=5),
        lambda: person.call("X09", pageNo=1, pageSize=5),
        lambda: person.call("P14"),
        lambda: person.call("P07", location=0),
    ]


def wechat_code(person: Client, order: str) -> str:
    return person.call("Y02", orderId=order)["code_url"]


def scan(person: Client, code: str) -> None:
    """Pays with the sandbox's phone."""
    fetch(f"{person.sandbox}/wechat/phone", {"pr": code.partition("pr=")[2], "act": "pay"})


def pay_by_wechat(person: Client, order: str) -> None:
    """Scans the code, and waits until the order is paid."""
    scan(person, wechat_code(person, order))
    eventually(f"WeChat's {order} is paid", lambda: paid(person, order))


def pay_by_alipay(person: Client, order: str) -> None:
    """Goes to the cashier with the form, and waits until the order is paid."""
    form = person.call("Y01", orderId=order, return_url="")
    form = form["form"] if isinstance(form, dict) else form
    action = html.unescape(re.search(r'action="([^"]*)"', form)[1])
    fields = re.findall(r'name="([^"]*)" value="([^"]*)"', form)
    page = fetch(action, {html.unescape(name): html.unescape(value) for name, value in fields})
    found = re.search(r'name="no" value="([^"]*)"', page)
    assert found, f"the cashier did not open: {re.sub('<[^>]*>', ' ', page)[-400:]}"
    fetch(f"{person.sandbox}/alipay/cashier", {"no": found[1], "act": "pay"})
    eventually(f"Alipay's {order} is paid", lambda: paid(person, order))


def pay_by_coins(person: Client, order: str) -> None:
    person.call("Y03", orderId=order)
    eventually("the coins have paid", lambda: paid(person, order))


class Person:
    """A user with a checked model, bought coins, and a membership paid with them."""

    def __init__(self, installation, phone: str):
        self.installation, self.phone = installation, phone
        self.client = installation.client().register(phone, PASSWORD)
        self.bytes = sample()
        self.file = self.client.upload("齿轮.glb", self.bytes)
        eventually("the check-up ends", self._checked)
        self.report = self.client.call("X02", fileId=self.file)["report"]
        order = order_coins(self.client)
        pay_by_wechat(self.client, order)
        self.order = self.client.call("P09", memberGradeId="1", isMonthly=0)["orderId"]
        # Coins are delivered a moment after the recharge is paid.
        eventually("the coins are there", lambda: self._coins() == RECHARGE or None)
        pay_by_coins(self.client, self.order)
        eventually("the membership is there", self._member)

    def _checked(self):
        status = self.client.call("X02", fileId=self.file)["status"]
        assert status != "failed"
        return status == "ready" or None

    def _coins(self) -> int:
        return int(self.client.call("P14")["cloudCoin"])

    def _member(self):
        return self.client.call("P01")["memberStatus"] == 1 or None

    def find_again(self, installation) -> None:
        """On an equal installation: signs in with the password and finds everything."""
        self.client = installation.client().sign_in(self.phone, PASSWORD)
        listed = self.client.call("X01", pageNo=1, pageSize=10)["results"]
        assert [file["fileId"] for file in listed] == [self.file], listed
        assert self.client.call("X02", fileId=self.file)["report"] == self.report
        address = self.client.call("R13", fileId=self.file)
        with urllib.request.urlopen(in_path(address), timeout=20) as answer:
            assert answer.read() == self.bytes
        assert paid(self.client, self.order)
        eventually("the membership is there", self._member)
        assert self._coins() == RECHARGE - BASIC


def in_path(address: str) -> str:
    """A signed address with its non-ASCII characters encoded."""
    parts = urlsplit(address)
    return parts._replace(path=quote(parts.path, safe="/%")).geturl()
