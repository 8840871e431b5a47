# Apache Kafka's own broker from its jars on Maven Central. Sourced by scripts/servers, after lib.sh.

kafka_version=4.3.1
maven_plugin_version=3.8.1
slf4j_version=1.7.36
# Checksums of all runtime jars of org.apache.kafka:kafka_2.13, and of slf4j-simple, which the broker logs errors with.
kafka_list=$(dirname "${BASH_SOURCE[0]}")/kafka-$kafka_version.sha256
kafka_jars=$cache/kafka-$kafka_version

# Any id: the cluster has one node.
kafka_cluster=xuanlan-test-cluster-1

# Downloads missing jars by Maven, from its configured repositories, and verifies every checksum; a second call downloads
# nothing.
kafka_fetch() {
    [ -f "$kafka_jars/.complete" ] && return
    local made
    made=$(mktemp -d)
    mkdir -p "$kafka_jars"
    cat >"$made/pom.xml" <<EOF
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>$kafka_version</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>$slf4j_version</version></dependency>
  </dependencies>
</project>
EOF
    mvn --batch-mode --quiet --file "$made/pom.xml" \
        "org.apache.maven.plugins:maven-dependency-plugin:$maven_plugin_version:copy-dependencies" \
        -DincludeScope=runtime -DoutputDirectory="$made/jars"
    (cd "$made/jars" && sha256sum --check --quiet --strict) <"$kafka_list"
    # Only jars on the list.
    while read -r _ jar; do mv "$made/jars/$jar" "$kafka_jars/$jar"; done <"$kafka_list"
    rm -rf "$made"
    touch "$kafka_jars/.complete"
}

# kafka_format FOLDER PORT CONTROLLER_PORT [OTHER_PORT ADVERTISED_PORT]: one node that is broker and controller, on the loopback
# interface. Clients of the other port are redirected to the advertised one, so that a proxy can be put in between.
kafka_format() {
    local home=$1 port=$2 controller=$3 other=${4:-} advertised=${5:-}
    mkdir -p "$home"
    cat >"$home/server.properties" <<EOF
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$controller
listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$controller${other:+,THROUGH://127.0.0.1:$other}
advertised.listeners=PLAINTEXT://127.0.0.1:$port${other:+,THROUGH://127.0.0.1:$advertised}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,THROUGH:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
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

# Executes a program of Kafka, with a small heap and a quick start.
kafka_java() {
    exec java -Xmx256m -Xms64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true \
        -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp "$kafka_jars/*" "$@"
}

# kafka_run FOLDER: executes the broker.
kafka_run() {
    kafka_java kafka.Kafka "$1/server.properties"
}
