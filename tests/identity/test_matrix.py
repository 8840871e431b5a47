"""Every call of the public contract: unauthenticated calls get 401, naming another owner is refused, and a named object is only
available to its owner. A new call with an id fails until matrix.tsv states what another user gets."""

import io
import json
import re
import unittest
import zipfile
import zlib
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path

from world import ROOT, SUCCESS, Client, eventually, put, site

CONTRACT = json.loads((ROOT / "proto/openapi.json").read_text())
#: Names of fields that contain an id.
NAMES = re.compile(r"(id|Id|ids|Ids|Key|Ticket|Url|_url|avatar|accountNumber|orderNo)$")
#: The code for a call that names another user as its owner.
NOT_YOURS = 60403
#: Public calls, on objects of which some are private.
PUBLIC = {"X350"}
#: Well-formed ids of no object.
MADE_UP = {
    "model": "{bucket}/u/{login}/0000/a.stl",
    "picture": "{bucket}/u/{login}/0000/a.png",
    "archive": "{bucket}/u/{login}/0000/a.zip",
}


class Call:
    def __init__(self, path: str, operation: dict):
        self.path, self.id, self.access = path, operation["x-call"], operation["x-access"]
        self.service = operation["tags"][0]
        [(self.kind, content)] = operation["requestBody"]["content"].items()
        schema = CONTRACT["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
        self.fields = list(schema.get("properties", {}))


CALLS = {
    operation["x-call"]: Call(path, operation)
    for path, methods in CONTRACT["paths"].items()
    for operation in methods.values()
    if "requestBody" in operation
}


class Case:
    def __init__(self, line: str):
        self.call, self.field, self.thing, self.stranger, self.owner, self.others = (line.split("\t") + [""] * 5)[:6]

    def __repr__(self):
        return f"{self.call} {self.field}"


CASES = [
    Case(line)
    for line in (Path(__file__).parent / "matrix.tsv").read_text().splitlines()
    if line and not line.startswith(("#", "call\t"))
]
OWNED = [case for case in CASES if not case.thing.startswith("(")]


def picture(wide: int = 64) -> bytes:
    """A grey PNG, square."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    side = wide
    head = side.to_bytes(4) * 2 + bytes([8, 0, 0, 0, 0])
    rows = b"".join(b"\0" + bytes(100 + (x * y) % 97 for x in range(side)) for y in range(side))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def archive() -> bytes:
    told = io.BytesIO()
    with zipfile.ZipFile(told, "w") as file:
        file.writestr("a.txt", "a")
    return told.getvalue()


def model() -> bytes:
    facets = "".join(
        f"facet normal 0 0 1\nouter loop\nvertex {i} 0 0\nvertex {i + 1} 0 0\nvertex {i} 1 0\nendloop\nendfacet\n" for i in range(4)
    )
    return f"solid a\n{facets}endsolid a\n".encode()


@cache
def shelver():
    """The operator who approves listings; a name can exist only once."""
    return site().operator("shelver")


@cache
def certifier():
    """The operator who decides on certifications."""
    return site().operator("certifier")


class Things:
    """One object of each kind, of one user. Objects consumed by a case are created anew."""

    def __init__(self, person: Client):
        self.person, self.made = person, {}

    def __getitem__(self, name: str) -> str:
        if name not in self.made:
            self.made[name] = str(getattr(self, f"_{name}")())
        return self.made[name]

    def _object(self, name: str, data: bytes) -> str:
        told = self.person.call("P39")
        fields = ["ak", "sk", "securityToken", "server", "privateBucket"]
        grant = {field: self.person._opened(field, told[field]) for field in fields}
        key = f"u/{self.person.login_id}/matrix/{name}"
        put(grant, key, data)
        return f"{grant['privateBucket']}/{key}"

    def _bucket(self):
        return self.person._opened("privateBucket", self.person.call("P39")["privateBucket"])

    def _login(self):
        return self.person.login_id

    def _card(self):
        """A bank card, in the account's certified name."""
        photograph = picture(400)
        sides = {f"idCard{side}": self._object(f"{side}.png", photograph) for side in ("Front", "Back")}
        self.person.call("A15", realName="张三丰", idCard="11010519491231002X", **sides)
        asked = certifier().call("K71", loginId=self.person.login_id)["items"]
        certifier().call("K70", id=asked[0]["id"], approve=True, reason="与证件一致")
        card = {"suffix": "add", "cardNo": "6222021234567890128", "holder": "张三丰"}
        return self.person.call("P20", **card)["id"]

    def _site(self):
        return site().address

    def _size(self):
        return len(model())

    def _model(self):
        return self._object("a.stl", model())

    def _picture(self):
        return self._object("a.png", picture())

    def _archive(self):
        return self._object("a.zip", archive())

    def _file(self):
        return self.checked("三角.stl")

    def checked(self, name: str) -> str:
        file = self.person.upload(name, model())
        eventually("the check", lambda: self.person.call("X02", fileId=file)["status"] == "ready" or None, 60)
        return file

    def _listing(self):
        file = self["file"]
        self.person.call("R04", fileId=file, modelName="三角", modelType=1, fileSource="web")
        own = lambda: next((one["listing"]["listingId"] for one in self.person.call("X100")["results"] if one["fileId"] == file), None)
        return eventually("the draft of the listing", own)

    def _had(self):
        """A free model of another user, taken."""
        listing = Things(site().person()).shown()
        self.person.call("T06", modelId=listing)
        return listing

    def shown(self) -> str:
        """The listing, free of charge and listed in the mall."""
        listing, call = self["listing"], self.person.call
        call("X102", listingId=listing, categoryId="c10", intro="三个顶点", price=0)
        call("X103", listingIds=listing)
        eventually("its pictures", lambda: call("X101", listingId=listing)["state"] == "submitted" or None, 60)
        shelver().call("K123", listingId=listing, version=1, decision="approve", reason="可以")
        return listing

    def _review(self):
        """A review of another model of the user, by a user who has it."""
        other, reader = Things(self.person), site().person()
        # Another name makes it another object, and so another file.
        other.made["file"] = other.checked("评价.stl")
        listing = other.shown()
        reader.call("T06", modelId=listing)
        review = reader.call("X172", modelId=listing, stars=4, content="齿形准确")["reviewId"]
        told = lambda: [one for one in self.person.call("X40")["results"] if one["kind"] == "modelReviewed"] or None
        eventually("the message of the review", told)
        return review

    def _work(self):
        return self.person.call("X200", fileId=self["file"], type=0)["card"]["id"]

    def published_work(self) -> str:
        """A published private work of the user."""
        call = self.person.call
        work = call("X200", fileId=self["file"], type=0)["card"]["id"]
        ready = lambda: call("X206", worksId=work)["modelState"] == "ready" or None
        eventually("the model of the work", ready, 60)
        call("X201", worksId=work, name="三角", categoryId="wc01", visibility="private")
        revision = call("X202", worksId=work)["revision"]
        shelver().call("K172", worksId=work, revision=revision, decision="approve", reason="可以")
        told = lambda: [one for one in call("X40")["results"] if one["kind"] == "workApproved"] or None
        eventually("the message of the review", told)
        return work

    def _comment(self):
        self.made["published"] = self.published_work()
        return self.person.call("X220", worksId=self["published"], content="齿形准确")["commentId"]

    def _published(self):
        return self.published_work()

    def _share(self):
        return self.person.call("X321", worksId=self["published"])["shareId"]

    def _need(self):
        """An incomplete draft."""
        self.person.call("M03", serviceType=1)
        return self.person.call("X344", title="减速机轻量化")["demandId"]

    def _favourite(self):
        self.person.call("X164", modelId=self["had"])
        return self["had"]

    def _folder(self):
        return self.person.call("X161", name="齿轮")["folderId"]

    def _spare(self):
        return self.person.call("X161", name="备用")["folderId"]

    def _result(self):
        form = {"fileId": self["file"], "serviceType": "convert", "params": '{"format": "ply"}'}
        result = self.person.call("X04", **form)
        eventually("the result", lambda: self.person.call("X05", resultId=result)["status"] == "done" or None, 60)
        return result

    def _order(self):
        order = self.person.call("P15", amount=50_000, orderType=0, rechargePackageType="backup")
        self.made["number"] = order["orderNo"]
        return order["orderId"]

    def _number(self):
        self["order"]
        return self.made["number"]

    def _memberOrder(self):
        grade = self.person.call("P08")[0]["id"]
        return self.person.call("P09", memberGradeId=grade, isMonthly=0)["orderId"]

    def _coupon(self):
        return self.person.call("P29")[0]["couponId"]

    def _line(self):
        return "matrix-1"

    def _message(self):
        self["result"]
        both = lambda: page["results"] if (page := self.person.call("X40"))["totalCount"] >= 2 else None
        return eventually("the messages of check and result", both)[0]["id"]


class EveryCall(unittest.TestCase):
    maxDiff = None

    @cached_property
    def nobody(self):
        return site().client()

    def test_nobody_is_told_to_sign_in(self):
        closed = [call for call in CALLS.values() if call.access == "login"]
        self.assertGreater(len(closed), 80)
        answers = {call.id: self.nobody.answer(call.id)["status"] for call in closed}
        self.assertEqual({id for id, status in answers.items() if status != 401}, set())

    def test_no_other_owner_may_be_named(self):
        owner, stranger = site().person(), site().person()
        named = [call for call in CALLS.values() if call.access == "login" and "userId" in call.fields]
        self.assertGreater(len(named), 80)
        answers = {call.id: stranger.answer(call.id, userId=owner.login_id)["resp_code"] for call in named}
        self.assertEqual({id for id, code in answers.items() if code != NOT_YOURS}, set())
        # Fields that name the owner differently.
        self.assertEqual(stranger.answer("U01", uid=owner.login_id, invitedcode="x")["resp_code"], NOT_YOURS)
        self.assertEqual(stranger.answer("T13", id=owner.login_id)["resp_code"], NOT_YOURS)

    def test_the_table_has_every_field_that_names_something(self):
        named = {
            (call.id, field)
            for call in CALLS.values()
            if call.service != "auth"
            for field in call.fields
            if NAMES.search(field) and field != "userId"
        }
        self.assertEqual({(case.call, case.field) for case in CASES}, named, "calls × fields of the contract, and of matrix.tsv")
        self.assertEqual({case.stranger for case in OWNED}, {"refused", "nothing", "own"})

    def ask(self, person: Client, case: Case, value: str, things: Things) -> dict:
        others = json.loads(case.others)
        filled = lambda text: re.sub(r"\{(\w+)\}", lambda found: things[found[1]], text) if isinstance(text, str) else text
        form = {name: text if name == "params" else filled(text) for name, text in others.items()}
        return person.answer(case.call, **form, **{case.field: value})

    def test_what_a_call_names_serves_its_owner_alone(self):
        owner, stranger = site().person(), site().person()
        things, own = Things(owner), Things(stranger)
        known = {case.thing: things[case.thing] for case in OWNED}
        before = self.seen(owner, things)
        told = {value for name, value in things.made.items() if name not in {"line", "bucket", "site", "size"}} | {"三角"}
        for case in OWNED:
            with self.subTest(case):
                value = known[case.thing]
                made_up = MADE_UP.get(case.thing, "").format(bucket=own["bucket"], login=owner.login_id) or "0" * len(value)
                missing = self.ask(stranger, case, made_up, own)
                answer = self.ask(stranger, case, value, own)
                if case.stranger == "own":
                    self.assertEqual(answer["resp_code"], SUCCESS, answer)
                    continue
                same = ("status", "resp_code", "resp_msg", "datas")
                self.assertEqual([answer[of] for of in same], [missing[of] for of in same], "as with what there is not")
                self.assertEqual(answer["resp_code"] == SUCCESS, case.stranger == "nothing", answer)
                text = json.dumps(answer, ensure_ascii=False)
                self.assertEqual([word for word in told if word in text], [], "what it tells of the owner's")
                nobody = self.ask(self.nobody, case, value, own)
                if case.call in PUBLIC:
                    self.assertEqual([nobody[of] for of in same], [missing[of] for of in same], "nobody, as a stranger")
                else:
                    self.assertEqual(nobody["status"], 401, "nobody")
        self.assertEqual(self.seen(owner, things), before, "nothing of the owner's was changed")
        for case in OWNED:
            with self.subTest(case, by="the owner"):
                self.assertEqual((answer := self.ask(owner, case, known[case.thing], things))["resp_code"], int(case.owner), answer)

    @staticmethod
    def seen(person: Client, things: Things) -> list:
        """All objects of the table, as their owner sees them."""
        told = [
            person.call("X02", fileId=things["file"]),
            person.call("R11", resultId=things["result"]),
            person.call("O01", orderId=things["order"]),
            person.call("P25", pageNo=1, pageSize=9),
            person.call("X40"),
            person.call("X41"),
            person.call("X61"),
            person.call("X60"),
            person.call("P14"),
            person.call("X01", pageNo=1, pageSize=9)["totalCount"],
            [(one["modelId"], one["downloads"]) for one in person.call("X120")["results"]],
            person.call("T01")["totalCount"],
            [(one["folderId"], one["name"], one["count"]) for one in person.call("X160")["results"]],
        ]
        # Addresses are signed anew for each response, and pictures of models appear once they are rendered.
        plain = lambda found: {name: value for name, value in found.items() if not name.endswith("Url")}
        return json.loads(json.dumps(told), object_hook=plain)
