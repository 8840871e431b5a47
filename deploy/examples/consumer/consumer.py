"""Maintains a table of orders from the topic `xuanlan.orders`, and resumes where it stopped.

    pip install -r requirements.txt
    python consumer.py --brokers localhost:9092 --database orders.db

Events arrive at least once and, per order, in order. So the id of a handled event is stored in the same transaction as its
effect: a repeated event changes nothing, and a consumer that is killed at any moment misses nothing. Offsets are
committed only afterwards.
"""

import argparse
import json
import signal
import sqlite3
import sys

from confluent_kafka import Consumer, KafkaException, Message

SCHEMA = """
CREATE TABLE IF NOT EXISTS handled (id TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY, owner TEXT, state TEXT NOT NULL, paid_cents INTEGER NOT NULL DEFAULT 0
);
"""


def apply(database: sqlite3.Connection, kind: str, order: dict) -> None:
    """Applies one event; unknown kinds are ignored, new ones may be added."""
    if kind == "order.order.paid":
        row = (order["orderId"], order["owner"], "paid", order["payable"])
    elif kind == "order.order.ended":
        row = (order["orderId"], order["owner"], order["state"], 0)
    else:
        return
    database.execute("INSERT OR REPLACE INTO orders VALUES (?, ?, ?, ?)", row)


def handle(database: sqlite3.Connection, message: Message) -> int:
    """Applies one message once; returns how many new events that was."""
    headers = {name: value.decode() for name, value in message.headers() or []}
    with database:
        new = database.execute("INSERT OR IGNORE INTO handled VALUES (?)", (headers["ce_id"],)).rowcount
        if new:
            apply(database, headers["ce_type"], json.loads(message.value()))
            print(headers["ce_time"], headers["ce_type"], message.key().decode(), flush=True)
    return new


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brokers", default="localhost:9092")
    parser.add_argument("--topic", default="xuanlan.orders")
    parser.add_argument("--group", default="order-table", help="consumers of one group share the partitions")
    parser.add_argument("--database", default="orders.db")
    parser.add_argument("--until-count", type=int, metavar="EVENTS", help="end when so many new ones are in the table")
    arguments = parser.parse_args()

    database = sqlite3.connect(arguments.database)
    database.executescript(SCHEMA)
    consumer = Consumer(
        {
            "bootstrap.servers": arguments.brokers,
            "group.id": arguments.group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([arguments.topic])
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit())
    handled = 0
    try:
        while arguments.until_count is None or handled < arguments.until_count:
            message = consumer.poll(0.5)
            if message is None:
                continue
            if message.error():
                if message.error().retriable() or not message.error().fatal():
                    print(message.error(), file=sys.stderr)
                    continue
                raise KafkaException(message.error())
            handled += handle(database, message)
            consumer.commit(message=message, asynchronous=True)
    finally:
        # Also commits offsets that are still pending.
        consumer.close()


if __name__ == "__main__":
    main()
