"""The data and measurements of `scripts/bench-mall`: synthetic listings, and queries at a fixed rate."""

import datetime
import http.client
import json
import os
import random
import re
import sqlite3
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/operations"))
from client import SUCCESS, Client, paths  # noqa: E402

THINGS = "齿轮 轴承 法兰 螺栓 阀门 弯管 花瓶 台灯 椅子 书桌 货架 住宅 塔楼 拱桥 松树 岩石 机器人 涡轮 卡车 长椅".split()
KINDS = "行星 锥形 直齿 重型 小型 复古 现代 木制 钢制 折叠 高速 微型 仿古 双层 可调 不锈钢".split()
FORMATS = ["glb", "obj", "fbx", "stl", "step"]
PAGE = 10_000
RATE = 50
CONNECTIONS = 8


def fill(db: sqlite3.Connection, table: str, rows: list[dict]) -> None:
    names = list(rows[0])
    sql = f"INSERT INTO {table} ({','.join(names)}) VALUES ({','.join('?' * len(names))})"
    db.executemany(sql, [list(row.values()) for row in rows])


def listing(number: int, dice: random.Random, categories: list[str], now: int) -> dict:
    name = f"{dice.choice(KINDS)}{dice.choice(THINGS)}{number}"
    listed = now - dice.randrange(365 * 86_400_000)
    return {
        "id": f"{number:032x}", "seller": f"u{dice.randrange(2000)}", "uploader_type": 2, "state": "listed", "revision": 1,
        "name": name, "category_id": dice.choice(categories), "label_ids": dice.choice(["2001", "2002", "2001,2003"]),
        "intro": "可以直接使用", "description": f"{name}，含材质与贴图。",
        "license": dice.choice(["personal", "commercial"]), "origin": dice.choice(["own", "own", "adapted", "ai"]),
        "price": dice.choice([0, 990, 1990, 4990, 9900, 29900]), "current_version": 1, "newest_version": 1,
        "format": dice.choice(FORMATS), "triangles": int(10 ** dice.uniform(2, 6.3)), "animation": dice.random() < 0.1,
        "score": dice.randrange(40, 100), "thumb_key": "", "turntable_key": "", "sold": int(dice.paretovariate(1)) - 1,
        "favourites": 0, "rating_sum": 0, "rating_count": 0, "listed_at": listed, "created_at": listed, "updated_at": listed,
    }


def version(of: dict, dice: random.Random) -> dict:
    same = ["name", "category_id", "label_ids", "intro", "description", "origin", "format", "triangles", "animation", "score"]
    empty = ["notes", "thumb_key", "source_key", "proxy_key", "reason", "claimed_by"]
    return {
        "listing_id": of["id"], "number": 1, "state": "ready", "file_id": of["id"], "texts_only": 0, "bytes": 4096,
        "sha256": f"{dice.getrandbits(256):064x}", "shown_of": 1, "pictures": "[]", "facts": "{}",
        "descriptor": dice.randbytes(64), "ask_at": 0, "submitted_at": 0, "claimed_until": 0, "created_at": of["created_at"],
        "updated_at": of["updated_at"],
    } | {name: of[name] for name in same} | dict.fromkeys(empty, "")


def write(path: str, count: int) -> None:
    db, dice, now = sqlite3.connect(path), random.Random(14), time.time_ns() // 1_000_000
    categories = [row[0] for row in db.execute("SELECT id FROM category WHERE parent_id <> ''")]
    for first in range(1, count + 1, PAGE):
        rows = [listing(number, dice, categories, now) for number in range(first, min(first + PAGE, count + 1))]
        fill(db, "listing", rows)
        fill(db, "listing_version", [version(row, dice) for row in rows])
        db.commit()


def signed(client: Client, call: str, form: dict) -> tuple[str, str, dict]:
    path, form = paths()[call], {name: str(value) for name, value in form.items()}
    form["D"] = client._signature(client.config, path, form)
    headers = {"client-id": client.config["clientId"], "client-secret": client.config["clientSecret"],
               "content-type": "application/x-www-form-urlencoded"}
    return path, urlencode(form, quote_via=quote), headers


def question(number: int) -> dict:
    """A keyword and five filters, all different, so that no cached result helps."""
    dice = random.Random(number)
    return {"keyword": dice.choice(THINGS), "formats": "glb,obj,fbx", "license": "personal", "origin": "own", "animated": "false",
            "priceMax": 5_000 + number}


def load(client: Client, call: str, form, seconds: int) -> list[float]:
    """Milliseconds of each response, from the time at which its query was due."""
    count, taken, faults = RATE * seconds, [], []
    begin, lock, numbers = time.monotonic() + 0.5, threading.Lock(), iter(range(RATE * seconds))

    def work() -> None:
        connection = http.client.HTTPConnection(urlsplit(client.sites[0]).netloc, timeout=30)
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return connection.close()
            due = begin + number / RATE
            path, body, headers = signed(client, call, form(number))
            time.sleep(max(0.0, due - time.monotonic()))
            try:
                connection.request("POST", path, body, headers)
                answer = json.loads(connection.getresponse().read())
                if answer["resp_code"] != SUCCESS:
                    faults.append(answer)
            except (OSError, http.client.HTTPException, ValueError) as error:
                faults.append(repr(error))
                connection.close()
            taken.append((time.monotonic() - due) * 1000)

    threads = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults or len(taken) != count:
        sys.exit(f"{call}: {len(faults)} of {count} failed, first {faults[:1]}")
    return sorted(taken)


def seen(client: Client, db: sqlite3.Connection) -> float:
    """Seconds until a search finds a changed price."""
    price = 7_654_321
    sql = "UPDATE listing SET price = ?, revision = revision + 1, updated_at = ? WHERE id = ?"
    db.execute(sql, (price, time.time_ns() // 1_000_000, f"{1:032x}"))
    db.commit()
    begin = time.monotonic()
    number = 0
    while time.monotonic() < begin + 60:
        # A different query each time.
        number += 1
        if client.call("T09", priceMin=price, priceMax=price + number)["totalCount"]:
            return time.monotonic() - begin
        time.sleep(0.02)
    sys.exit("a changed price was not found within a minute")


def measure(path: str, site: str, pid: str, log: str, seconds: str, profile: str) -> None:
    db, client = sqlite3.connect(path, timeout=30), Client([site], "")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", Path(log).read_text())
    listed, built = re.search(r"the index of listings is built listed=(\d+) seconds=([\d.]+)", plain).groups()
    for number in range(50):
        client.call("T09", **question(-1 - number))
    found = load(client, "T09", question, int(seconds))
    similar = load(client, "X112", lambda number: {"modelId": f"{1 + number % int(listed):032x}", "size": 12}, int(seconds))
    delays = seen(client, db)
    status = Path(f"/proc/{pid}/status").read_text()
    memory, own = (int(re.search(rf"{name}:\s+(\d+)", status)[1]) // 1024 for name in ("VmRSS", "RssAnon"))
    at = lambda times, share: times[min(len(times) - 1, int(len(times) * share))]
    print(f"""# The mall's search

Made by `scripts/bench-mall` on {datetime.date.today()}: a standalone (SQLite, build profile `{profile}`) and its load on one machine of
{os.cpu_count()} cores; load of the machine at the end {os.getloadavg()[0]:.1f}. {int(listed):,} synthetic listings; {RATE} signed questions a second for {seconds} s, through
the gateway, each measured from the time it was due. The aims are those for 1,000,000 listings and a release build.

| | measured | aim |
|---|---|---|
| keyword and five filters, p50 | {at(found, .5):.1f} ms | 12 ms |
| keyword and five filters, p99 | {at(found, .99):.1f} ms | 60 ms |
| similar models, p99 | {at(similar, .99):.1f} ms | 60 ms |
| a changed price is found | {delays:.2f} s | 2 s |
| index built | {float(built):.2f} s | 180 s |

The whole process, all services in one, holds {memory} MB, {own} MB of them not mapped from files.""")


if __name__ == "__main__":
    match sys.argv[1]:
        case "rows":
            write(sys.argv[2], int(sys.argv[3]))
        case "measure":
            measure(*sys.argv[2:])
