"""Content of deploy/ generated from the register: compose, Prometheus, alerts."""

from . import Row


def services(rows: list[Row], anchors: set[str]) -> str:
    """A container per service. One with additional needs has anchors in the same file: `x-NAME` for
    the container, `x-NAME-environment` for its variables."""
    return "\n".join(container(row, anchors) for row in rows)


def merge(*names: str) -> str:
    return f"*{names[0]}" if len(names) == 1 else f"[{', '.join(f'*{name}' for name in names)}]"


def container(row: Row, anchors: set[str]) -> str:
    own = [name for name in [row.name] if name in anchors]
    environment = ["environment", *(use for use in row.uses if use != "cache")]
    environment += [name for name in [f"{row.name}-environment"] if name in anchors]
    cache = "      XUANLAN__CACHE__URL: ${CACHE_URL}\n" if "cache" in row.uses else ""
    ports = f'    ports: ["127.0.0.1:{row.front}:{row.front}"]\n' if row.front else ""
    networks = ["front", "services", "servers"] if row.front else ["services", "servers"]
    return f"""\
  xuanlan-{row.name}:
    <<: {merge(*own, "service")}
    command: [{row.name}]
    environment:
      <<: {merge(*environment)}
      XUANLAN__{row.name.upper()}__LISTEN: 0.0.0.0:{row.port}
      XUANLAN__DATABASE__URL: ${{DATABASE_{row.name.upper()}_URL}}
{cache}{ports}    networks: [{", ".join(networks)}]
"""


def upstreams(rows: list[Row]) -> str:
    return "".join(
        f"      XUANLAN__GATEWAY__UPSTREAMS__{row.name.upper()}: xuanlan-{row.name}:{row.port}\n" for row in rows
    )


def passwords(rows: list[Row]) -> str:
    return "".join(f"      PASSWORD_{row.name.upper()}: ${{POSTGRES_{row.name.upper()}}}\n" for row in rows)


def scraped(row: Row) -> str:
    """deploy/observability/scrape/NAME.yaml."""
    return f"""\
# Made by scripts/register from services.toml.
scrape_configs:
  - job_name: {row.name}
    dns_sd_configs: [{{names: [xuanlan-{row.name}], type: A, port: {row.metrics_port}}}]
    relabel_configs: [{{target_label: product, replacement: xuanlan}}]
"""
