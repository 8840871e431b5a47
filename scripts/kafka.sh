# Apache Kafka's own broker from its jars on Maven Central. Sourced by scripts/servers.

kafka_version=4.3.1
# Every jar of org.apache.kafka:kafka_2.13 at run time, with its sum, and slf4j-simple so that the broker says what ails it.
kafka_list=$(dirname "${BASH_SOURCE[0]}")/kafka-$kafka_version.sha256
kafka_jars=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/xuanlan/kafka-$kafka_version

# Any id: a cluster of one node.
kafka_cluster=xuanlan-test-cluster-1

# Where Maven would look: a mirror of Central in its settings, else Central itself.
maven_repository() {
    python3 - "${HOME:-/root}/.m2/settings.xml" <<'PYTHON'
import os, sys
from xml.etree import ElementTree
found = "https://repo1.maven.org/maven2"
if os.path.exists(sys.argv[1]):
    text = lambda mirror, name: next((e.text or "" for e in mirror if e.tag.endswith("}" + name) or e.tag == name), "").strip()
    for mirror in ElementTree.parse(sys.argv[1]).iter():
        if mirror.tag.split("}")[-1] == "mirror":
            whose = {part.strip() for part in text(mirror, "mirrorOf").split(",")}
            if whose & {"*", "central", "external:*"} and "!central" not in whose:
                found = text(mirror, "url")
                break
print(found.rstrip("/"))
PYTHON
}

# Downloads what is missing and checks every sum; a second call downloads nothing.
kafka_fetch() {
    [ -f "$kafka_jars/.complete" ] && return
    local repository path sum
    repository=$(maven_repository)
    mkdir -p "$kafka_jars"
    while read -r sum path; do
        local jar=$kafka_jars/${path##*/}
        [ -f "$jar" ] && continue
        curl -fsSL --retry 3 -o "$jar.part" "$repository/$path"
        echo "$sum  $jar.part" | sha256sum --check --quiet --strict
        mv "$jar.part" "$jar"
    done <"$kafka_list"
    touch "$kafka_jars/.complete"
}

# kafka_format FOLDER PORT CONTROLLER_PORT: one node that is broker and controller, on the loopback interface.
kafka_format() {
    local home=$1 port=$2 controller=$3
    mkdir -p "$home"
    cat >"$home/server.properties" <<EOF
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$controller
listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$controller
advertised.listeners=PLAINTEXT://127.0.0.1:$port
controller.listener.names=CONTROLLER
log.dirs=$home/data
num.partitions=3
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
log.cleaner.dedupe.buffer.size=8388608
auto.create.topics.enable=false
EOF
    (kafka_java kafka.tools.StorageTool format -t "$kafka_cluster" -c "$home/server.properties") >"$home/format" 2>&1
}

# Becomes a program of Kafka, with a small heap and a quick start.
kafka_java() {
    exec java -Xmx256m -Xms64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true \
        -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp "$kafka_jars/*" "$@"
}

# kafka_run FOLDER: becomes the broker.
kafka_run() {
    kafka_java kafka.Kafka "$1/server.properties"
}
