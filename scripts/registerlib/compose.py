"""What deploy/ has of the register: compose, Prometheus, alerts."""

from . import Row


def services(rows: list[Row], anchors: set[str]) -> str:
    """A container for each. One that needs more than the others has it in anchors of its own in the same file: `x-NAME` for
    the container, `x-NAME-environment` for its variables."""
    return "\n".join(container(row, anchors) for row in rows)


def merge(*names: str) -> str:
    return f"*{names[0]}" if len(names) == 1 else f"[{', '.join(f'*{name}' for name in names)}]"


def container(row: Row, anchors: set[str]) -> str:
    own = [name for name in [row.name] if name in anchors]
    environment = ["environment", *(use for use in row.uses if use != "cache")]
    environment += [name for name in [f"{row.name}-environment"] if name in anchors]
    cache = "      XUANLAN__CACHE__URL: ${CACHE_URL}\n" if "cache" in row.uses else ""
    return f"""\
  xuanlan-{row.name}:
    <<: {merge(*own, "service")}
    command: [{row.name}]
    environment:
      <<: {merge(*environment)}
      XUANLAN__{row.name.upper()}__LISTEN: 0.0.0.0:{row.port}
      XUANLAN__DATABASE__URL: ${{DATABASE_{row.name.upper()}_URL}}
{cache}    networks: [services, servers]
"""


def upstreams(rows: list[Row]) -> str:
    return "".join(
        f"      XUANLAN__GATEWAY__UPSTREAMS__{row.name.upper()}: xuanlan-{row.name}:{row.port}\n" for row in rows
    )


def passwords(rows: list[Row]) -> str:
    return "".join(f"      PASSWORD_{row.name.upper()}: ${{POSTGRES_{row.name.upper()}}}\n" for row in rows)


def traced(rows: list[Row]) -> str:
    return "".join(f"  xuanlan-{row.name}: {{<<: *traced}}\n" for row in rows)


def scraped(rows: list[Row]) -> str:
    return "".join(
        f"  - job_name: {row.name}\n"
        f"    dns_sd_configs: [{{names: [xuanlan-{row.name}], type: A, port: {row.metrics_port}}}]\n"
        for row in rows
    )


def down(rows: list[Row]) -> str:
    """Whatever is scraped and has to be there; the sandbox is for trying things out."""
    jobs = [*(row.name for row in rows if row.role != "sandbox"), "rabbitmq"]
    return f'        expr: up{{job=~"{"|".join(jobs)}"}} == 0\n'


def gone(rows: list[Row]) -> str:
    """Those of which several are known by one name: with no replica there is no `up` to look at."""
    absent = [f'absent(up{{job="{row.name}"}})' for row in rows if row.role in ("gateway", "service")]
    return "        expr: >-\n          " + "\n          or ".join(absent) + "\n"
