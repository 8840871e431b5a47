"""Adds a service as docs/adding-a-service.md describes, in a copy of the tree: the deployment contains it, few files are edited
by hand, and removing it restores the tree."""

import os
import re
import unittest

import yaml

from project import OVERLAYS, make_secrets
from tree import Tree

NAME = "pears"
#: Folders and files of the tree that a service touches.
PARTS = {"Cargo.toml", "Cargo.lock", "services.toml", "crates", "deploy", "docs", "gateway", "k8s", "proto", "scripts", "services", "tests"}
#: Existing files that a new service may change, by hand or by code generated from its row.
MOST = 14


class NewService(Tree):
    parts = PARTS

    def test_a_service_comes_and_goes(self):
        before = self.files()
        made = set(self.run_in_tree("scripts/new-service", NAME).split())
        after = self.files()
        self.assertLessEqual(set(before), set(after), "nothing goes when something comes")
        touched = {path for path in before if before[path] != after[path]}
        self.check_touched(touched, touched - made, set(after) - set(before))
        self.assertEqual(self.run_in_tree("scripts/register", "write"), "", "there is nothing left to be made")
        self.run_in_tree("scripts/register", "check")
        self.assertIn(NAME, self.run_in_tree("scripts/register", "names").split())
        self.check_workspace()
        self.check_manifests()
        self.check_compose()
        self.run_in_tree("scripts/new-service", NAME, "--remove")
        self.assertEqual(self.files(), before)

    @unittest.skipIf("XUANLAN_NO_SERVERS" in os.environ, "compiles every service anew")
    def test_the_new_service_passes_its_tests(self):
        self.run_in_tree("scripts/new-service", NAME)
        try:
            openapi = self.run_in_tree("cargo", "run", "-q", "-p", "xuanlan-proto", "--bin", "xuanlan-openapi")
            self.assertIn(f"/api-{NAME}/laozi/v3/entry/mine", openapi)
            self.run_in_tree("cargo", "fmt", "-p", f"xuanlan-{NAME}", "--check")
            self.assertIn("2 passed", self.run_in_tree("cargo", "test", "-p", f"xuanlan-{NAME}"))
            self.run_in_tree("scripts/lint-circles", f"services/{NAME}")
        finally:
            self.run_in_tree("scripts/new-service", NAME, "--remove")

    def check_touched(self, touched: set[str], by_hand: set[str], new: set[str]) -> None:
        # Cargo adds the package to its lock file at the next build.
        self.assertLessEqual(len(touched | {"Cargo.lock"}), MOST, sorted(touched))
        page = (self.tree / "docs/adding-a-service.md").read_text()
        listed = set(re.findall(r"(?m)^\| `([^`]+)` \|", page))
        for path in by_hand:
            self.assertIn(path, listed, "the page names every file that is touched by hand")
        expected = {f"deploy/observability/scrape/{NAME}.yaml", f"proto/xuanlan/{NAME}/v1/entry.proto", f"services/{NAME}/Cargo.toml"}
        self.assertLessEqual(expected, new)

    def check_workspace(self) -> None:
        command = ["cargo", "metadata", "--offline", "--format-version", "1", "--no-deps"]
        self.assertIn(f'"name":"xuanlan-{NAME}"', self.run_in_tree(*command))

    def check_manifests(self) -> None:
        secrets = self.tree / "k8s/overlays/dev/secrets"
        self.run_in_tree("deploy/make_secrets.py", "kubernetes", secrets)
        for overlay in OVERLAYS:
            self.at = overlay
            text = self.run_in_tree(os.environ["XUANLAN_KUSTOMIZE"], "build", f"k8s/overlays/{overlay}")
            objects = {(o["kind"], o["metadata"]["name"]): o for o in yaml.safe_load_all(text) if o}
            expected = {("Deployment", f"xuanlan-{NAME}"), ("Service", f"xuanlan-{NAME}"), ("Job", f"xuanlan-migrate-{NAME}")}
            if overlay != "dev":
                expected.add(("HorizontalPodAutoscaler", f"xuanlan-{NAME}"))
            self.assertLessEqual(expected, set(objects))
            [port] = objects["Service", f"xuanlan-{NAME}"]["spec"]["ports"]
            upstreams = objects["ConfigMap", "xuanlan-upstreams"]["data"]
            self.assertEqual(upstreams[f"XUANLAN__GATEWAY__UPSTREAMS__{NAME.upper()}"], f"xuanlan-{NAME}:{port['port']}")
        for secret in secrets.iterdir():
            secret.unlink()
        secrets.rmdir()

    def check_compose(self) -> None:
        files = ["deploy/compose.yaml", "deploy/compose.observability.yaml"]
        command = [os.environ["XUANLAN_COMPOSE_SPEC"], "-no-interpolation", "-no-path-resolution", "-format", "json", *files]
        model = yaml.safe_load(self.run_in_tree(*command))
        self.assertEqual(model["services"][f"xuanlan-{NAME}"]["command"], [NAME])
        made = {make_secrets.variable(f"database-{NAME}", "url"), make_secrets.variable("postgres", NAME)}
        self.assertLessEqual(made, set(re.findall(r"\$\{(\w+)\}", (self.tree / files[0]).read_text())))
