"""Reads a topic from its beginning to its end with a client that is not ours, and prints each message as a line of JSON.

Usage: read_topic.py BROKERS TOPIC
"""

import json
import sys
import uuid

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, TopicPartition


def main() -> None:
    brokers, topic = sys.argv[1:3]
    consumer = Consumer(
        {
            "bootstrap.servers": brokers,
            "group.id": f"test-{uuid.uuid4()}",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
        }
    )
    known = consumer.list_topics(topic, timeout=20).topics[topic]
    partitions = [] if known.error else list(known.partitions)
    consumer.assign([TopicPartition(topic, p, OFFSET_BEGINNING) for p in partitions])
    open_partitions = set(partitions)
    while open_partitions:
        message = consumer.poll(20)
        if message is None:
            sys.exit("the broker says nothing")
        if message.error():
            if message.error().code() != KafkaError._PARTITION_EOF:
                sys.exit(str(message.error()))
            open_partitions.discard(message.partition())
            continue
        print(
            json.dumps(
                {
                    "partition": message.partition(),
                    "offset": message.offset(),
                    "timestamp": message.timestamp()[1],
                    "key": message.key().decode(),
                    "headers": {k: v.decode() for k, v in message.headers() or []},
                    "value": json.loads(message.value()),
                }
            )
        )
    consumer.close()


main()
