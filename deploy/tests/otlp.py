"""An OpenTelemetry collector for tests: receives traces by OTLP over gRPC and keeps their spans."""

from concurrent import futures
from dataclasses import dataclass, field

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc


@dataclass
class Span:
    service: str
    name: str
    trace: str
    id: str
    #: Empty for a root span.
    parent: str
    attributes: dict[str, object] = field(default_factory=dict)


def _value(any_value):
    return getattr(any_value, any_value.WhichOneof("value") or "string_value")


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """Serves on a free port of the loopback interface: `endpoint`. `spans` grows as spans arrive."""

    def __init__(self):
        self.spans: list[Span] = []
        #: Everything received, as text: tests search it for secrets.
        self.text = ""
        self._server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
        trace_service_pb2_grpc.add_TraceServiceServicer_to_server(self, self._server)
        self.endpoint = f"http://127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def Export(self, request, context):  # noqa: N802 (the protocol's name)
        self.text += str(request)
        for resource in request.resource_spans:
            about = {pair.key: _value(pair.value) for pair in resource.resource.attributes}
            for span in (span for scope in resource.scope_spans for span in scope.spans):
                ids = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
                attributes = {pair.key: _value(pair.value) for pair in span.attributes}
                self.spans.append(Span(str(about.get("service.name")), span.name, *ids, attributes))
        return trace_service_pb2.ExportTraceServiceResponse()

    def of(self, trace: str) -> list[Span]:
        return [span for span in self.spans if span.trace == trace]

    def stop(self) -> None:
        self._server.stop(grace=1).wait()
