"""Compose files, read by Compose's own loader, and the project's rules for them."""

import functools
import json
import os
import re
import subprocess

from project import DEPLOY, ROWS, Case, make_secrets

FILES = ["compose.yaml", "compose.observability.yaml"]


@functools.cache
def model(*files: str) -> dict:
    command = [os.environ["XUANLAN_COMPOSE_SPEC"], "-no-interpolation", "-no-path-resolution", "-format", "json", *files]
    done = subprocess.run(command, cwd=DEPLOY, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Compose(Case):
    def ours(self):
        for name, service in model(*FILES)["services"].items():
            if service["image"].split(":")[0] == "xuanlan":
                self.at = name
                [part] = service["command"]
                self.assertEqual(name, f"xuanlan-{part}")
                yield part, service

    def environment(self, service: dict) -> dict[str, str]:
        variables = service["environment"]
        # Merged variables are written as NAME=value.
        return dict(v.split("=", 1) for v in variables) if isinstance(variables, list) else variables

    def test_it_is_read_alone_and_with_its_overlay(self):
        self.assertLess(set(model(FILES[0])["services"]), set(model(*FILES)["services"]))

    def test_every_service_is_there(self):
        self.assertEqual({name for name, _ in self.ours()}, set(ROWS))

    def test_variables_name_settings_that_exist(self):
        for name, service in self.ours():
            variables = self.environment(service)
            self.known(name, {key: None if "${" in value else value for key, value in variables.items()})

    def test_every_container_listens_on_the_port_of_its_row(self):
        """The health check uses the port that these variables name."""
        for name, service in self.ours():
            listen = {key: value for key, value in self.environment(service).items() if key.endswith("__LISTEN")}
            expected = {f"XUANLAN__{name.upper()}__LISTEN": f"0.0.0.0:{ROWS[name].port}"}
            if ROWS[name].ops:
                expected["XUANLAN__OPS__LISTEN"] = f"0.0.0.0:{ROWS[name].ops}"
            if name == "gateway":
                # The operators' console and shared works have their own ports.
                self.assertEqual(len({port["target"] for port in service["ports"]}), 3)
                expected["XUANLAN__GATEWAY__EMBED__LISTEN"] = f"0.0.0.0:{service['ports'][2]['target']}"
                expected["XUANLAN__GATEWAY__CONSOLE__LISTEN"] = f"0.0.0.0:{service['ports'][1]['target']}"
            if ROWS[name].front:
                self.assertEqual(service["ports"][0]["target"], ROWS[name].front)
                expected |= {key: f"0.0.0.0:{ROWS[name].front}" for key in listen if key.count("__") > 2}
            self.assertEqual(listen, expected)

    def test_a_service_gets_what_its_row_asks_for_and_no_more(self):
        asked = {"cache": "XUANLAN__CACHE__URL", "objects": "XUANLAN__OBJECTS__SECRET_KEY", "stream": "XUANLAN__STREAM__URL"}
        for name, service in self.ours():
            if ROWS[name].role == "service":
                variables = self.environment(service)
                given = {use for use, variable in asked.items() if variable in variables}
                self.assertEqual(given, set(ROWS[name].uses))
                self.assertEqual(variables["XUANLAN__DATABASE__URL"], f"${{DATABASE_{name.upper()}_URL}}")

    def test_every_secret_is_made(self):
        made = {make_secrets.variable(n, key) for n, keys in make_secrets.make().items() for key in keys}
        for file in FILES:
            # A variable with a default, `${OTLP:-}`, is no secret.
            asked = set(re.findall(r"(?<!\$)\$\{(\w+)(?!\w|:-)", (DEPLOY / file).read_text()))
            self.assertLessEqual(asked, made)

    def test_our_containers_are_confined(self):
        for _, service in self.ours():
            self.assertTrue(service["read_only"])
            self.assertEqual(service["cap_drop"], ["ALL"])
            self.assertIn("no-new-privileges:true", service["security_opt"])
            self.assertIn("mem_limit", service)
            writable = [entry.split(":")[0] for entry in service.get("tmpfs", [])]
            writable += [volume["target"] for volume in service.get("volumes", [])]
            self.assertEqual(sorted(writable), ["/tmp", "/var/lib/xuanlan"])

    def test_ports_are_on_this_machine_only(self):
        for name, service in model(*FILES)["services"].items():
            for port in service.get("ports", []):
                self.assertEqual(port["host_ip"], "127.0.0.1", name)

    def test_images_have_a_version(self):
        for service in model(*FILES)["services"].values():
            self.assertRegex(service["image"], r":(?!latest)")

    def test_servers_answer_before_services_start(self):
        services = model(*FILES)["services"]
        for service in services.values():
            for needed, how in service.get("depends_on", {}).items():
                self.assertEqual(how["condition"], "service_healthy")
                self.assertIn("healthcheck", services[needed])

    def test_only_what_has_a_port_reaches_outside(self):
        networks = model(*FILES)["networks"]
        open_networks = {name for name, network in networks.items() if not (network or {}).get("internal")}
        self.assertEqual(open_networks, {"front"})
        for name, service in model(*FILES)["services"].items():
            self.assertEqual("front" in service["networks"], bool(service.get("ports")), name)
