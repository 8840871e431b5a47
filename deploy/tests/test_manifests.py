"""Kubernetes manifests: schemas, and the project's rules for them."""

import kubernetes_validate

from project import OVERLAYS, ROWS, SERVICES, Case, objects, render, workloads

#: Kinds that other projects define; test_custom_kinds checks them.
CUSTOM = {"ScaledObject", "TriggerAuthentication", "PodMonitor"}
#: The only image that writes to its root at start.
WRITES_ROOT = {"xuanlan-kafka"}


def matches(selector: dict, labels: dict) -> bool:
    if any(labels.get(key) != value for key, value in selector.get("matchLabels", {}).items()):
        return False
    for rule in selector.get("matchExpressions", []):
        assert rule["operator"] == "In", "only In is used"
        if labels.get(rule["key"]) not in rule["values"]:
            return False
    return True


def users(what: str) -> list[str]:
    """Services with this use in the register."""
    return [name for name in SERVICES if what in ROWS[name].uses]


def seconds(workload) -> int:
    return workload.pod.get("terminationGracePeriodSeconds", 30)


class Manifests(Case):
    def each(self):
        for overlay in OVERLAYS:
            for workload in workloads(overlay):
                self.at = f"{overlay}, {workload.name}"
                yield overlay, workload

    def test_schemas_of_every_object(self):
        # The oldest supported version, and a new one. prod-keda contains all of prod.
        for overlay, version in (("prod-keda", "1.30"), ("dev", "1.37")):
            for document in render(f"overlays/{overlay}"):
                if document["kind"] not in CUSTOM:
                    with self.subTest(overlay=overlay, kind=document["kind"], name=document["metadata"]["name"]):
                        kubernetes_validate.validate(document, version, strict=True)

    def test_custom_kinds(self):
        scaled = objects("prod-keda", "ScaledObject")["xuanlan-process"]["spec"]
        self.assertIn(scaled["scaleTargetRef"]["name"], objects("prod-keda", "Deployment"))
        [trigger] = scaled["triggers"]
        self.assertEqual(trigger["type"], "postgresql")
        self.assertLess(scaled["minReplicaCount"], scaled["maxReplicaCount"])
        authentication = objects("prod-keda", "TriggerAuthentication")[trigger["authenticationRef"]["name"]]
        [reference] = authentication["spec"]["secretTargetRef"]
        self.assertEqual((reference["name"], reference["key"]), ("xuanlan-database-process", "url"))
        process = next(w for w in workloads("prod-keda") if w.name == "xuanlan-process")
        each = {e["name"]: e.get("value") for e in process.container["env"]}["XUANLAN__PROCESS__WORKERS"]
        self.assertEqual(trigger["metadata"]["targetQueryValue"], each, "one pod for as many jobs as it does at a time")
        monitor = objects("prod", "PodMonitor")["xuanlan"]["spec"]
        watched = [w.service for w in workloads("prod") if matches(monitor["selector"], w.labels)]
        self.assertEqual(sorted(watched), sorted(["gateway", *SERVICES]))

    def test_only_one_autoscaler_for_each(self):
        for overlay in OVERLAYS:
            targets = [h["spec"]["scaleTargetRef"]["name"] for h in objects(overlay, "HorizontalPodAutoscaler").values()]
            targets += [s["spec"]["scaleTargetRef"]["name"] for s in objects(overlay, "ScaledObject").values()]
            self.assertEqual(len(targets), len(set(targets)))
            for target in targets:
                self.assertNotIn("replicas", objects(overlay, "Deployment")[target]["spec"], "apply would undo it")

    def test_no_container_has_more_rights_than_it_needs(self):
        for _, workload in self.each():
            pod, container = workload.pod, workload.container
            security = {**pod["securityContext"], **container["securityContext"]}
            self.assertTrue(security["runAsNonRoot"])
            self.assertGreaterEqual(security["runAsUser"], 100)
            self.assertEqual(security["seccompProfile"], {"type": "RuntimeDefault"})
            self.assertFalse(security["allowPrivilegeEscalation"])
            self.assertEqual(security["capabilities"], {"drop": ["ALL"]})
            self.assertEqual(security["readOnlyRootFilesystem"], workload.name not in WRITES_ROOT)
            self.assertFalse(pod["automountServiceAccountToken"])
            self.assertFalse(pod["enableServiceLinks"])
            for flag in ("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace"):
                self.assertNotIn(flag, pod)
            for volume in pod.get("volumes", []):
                self.assertNotIn("hostPath", volume)
                if "emptyDir" in volume:
                    self.assertIn("sizeLimit", volume["emptyDir"], "a full disk ends one pod, not the node")

    def test_every_account_exists_and_has_no_token(self):
        for overlay, workload in self.each():
            account = objects(overlay, "ServiceAccount")[workload.pod["serviceAccountName"]]
            self.assertFalse(account["automountServiceAccountToken"])

    def test_resources_and_probes(self):
        for _, workload in self.each():
            resources = workload.container["resources"]
            self.assertIn("cpu", resources["requests"])
            self.assertIn("memory", resources["requests"])
            self.assertIn("memory", resources["limits"])
            if workload.kind == "Job":
                continue
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                self.assertIn(probe, workload.container)
            if workload.service in ("gateway", *SERVICES):
                paths = [workload.container[p]["httpGet"]["path"] for p in ("readinessProbe", "livenessProbe")]
                self.assertEqual(paths, ["/readyz", "/healthz"])

    def test_images_have_a_version(self):
        for _, workload in self.each():
            image = workload.container["image"].rsplit("/", 1)[-1]
            self.assertRegex(image, r"[:@]")
            self.assertFalse(image.endswith(":latest"))

    def test_variables_name_settings_that_exist(self):
        for overlay, workload in self.each():
            if workload.service is None:
                continue
            data = [objects(overlay, "ConfigMap")[name]["data"] for name in workload.config_maps]
            variables = [{e["name"]: e.get("value")} for e in workload.container.get("env", [])]
            names = [name for table in data + variables for name in table]
            self.assertEqual(len(names), len(set(names)), "no variable is set twice")
            self.known(workload.service, {name: text for table in data + variables for name, text in table.items()})

    def test_every_row_of_the_register_runs_and_nothing_else_of_ours(self):
        for overlay in OVERLAYS:
            running = sorted(w.service for w in workloads(overlay) if w.service and w.kind != "Job")
            expected = ROWS if overlay == "dev" else ["gateway", *SERVICES]
            self.assertEqual(running, sorted(expected))
            migrated = sorted(w.service for w in workloads(overlay) if w.kind == "Job")
            self.assertEqual(migrated, sorted(SERVICES))

    def test_ports_are_those_of_the_register(self):
        for overlay, workload in self.each():
            if workload.service is None or workload.kind == "Job":
                continue
            port, *_ = workload.container["ports"]
            self.assertEqual((port["name"], port["containerPort"]), ("main", ROWS[workload.service].port))
            env = {e["name"]: e.get("value") for e in workload.container["env"]}
            listen = env[f"XUANLAN__{workload.service.upper()}__LISTEN"]
            self.assertEqual(listen, f"0.0.0.0:{port['containerPort']}")

    def test_secrets_are_references(self):
        words = ("PASSWORD", "SECRET", "SEED", "_KEY", "URL")
        # Addresses without a password.
        plain = {"XUANLAN__OBJECTS__URL", "XUANLAN__STREAM__URL"}
        for overlay, workload in self.each():
            for variable in workload.container.get("env", []):
                if variable["name"].endswith("_FILE"):
                    self.check_file_of_a_secret(workload, variable["value"])
                elif any(word in variable["name"] for word in words) and variable["name"] not in plain:
                    source = variable.get("valueFrom", {})
                    self.assertIn("secretKeyRef", source, variable["name"])
                    self.assertFalse(source["secretKeyRef"].get("optional", False))
            for config_map in workload.config_maps:
                for name, value in objects(overlay, "ConfigMap")[config_map]["data"].items():
                    secret = any(word in name for word in words) and name not in plain
                    self.assertFalse(secret, f"{name} stands in a ConfigMap")
                    self.assertNotRegex(value, r"://[^/@]*:[^/@]*@")

    def check_file_of_a_secret(self, workload, path: str) -> None:
        folder = path.rsplit("/", 1)[0]
        [mount] = [m for m in workload.container["volumeMounts"] if m["mountPath"] == folder]
        self.assertTrue(mount["readOnly"])
        [volume] = [v for v in workload.pod["volumes"] if v["name"] == mount["name"]]
        self.assertIn("secret", volume)

    def test_nothing_but_dev_makes_secrets(self):
        for overlay in OVERLAYS:
            self.assertEqual(bool(objects(overlay, "Secret")), overlay == "dev")

    def test_every_secret_of_dev_is_made_with_the_key_that_is_asked_for(self):
        made = objects("dev", "Secret")
        for workload in workloads("dev"):
            for variable in workload.container.get("env", []):
                reference = variable.get("valueFrom", {}).get("secretKeyRef")
                if reference:
                    self.assertIn(reference["key"], made[reference["name"]]["data"])

    def test_only_those_who_need_a_secret_get_it(self):
        holders = {}
        for workload in workloads("prod"):
            for variable in workload.container["env"]:
                reference = variable.get("valueFrom", {}).get("secretKeyRef")
                if reference:
                    holders.setdefault(reference["name"], set()).add(workload.service)
        self.assertEqual(holders["xuanlan-gateway"], {"gateway"})
        self.assertEqual(holders["xuanlan-objects"], set(users("objects")))
        self.assertEqual(holders["xuanlan-cache"], {"gateway", *users("cache")})
        for service in SERVICES:
            self.assertEqual(holders[f"xuanlan-database-{service}"], {service})

    def test_services_select_pods(self):
        for overlay in OVERLAYS:
            pods = [w for w in workloads(overlay) if w.kind != "Job"]
            for name, service in objects(overlay, "Service").items():
                found = [w for w in pods if matches({"matchLabels": service["spec"]["selector"]}, w.labels)]
                second = next((port for port in ("front", "console", "embed") if name.endswith(f"-{port}")), None)
                self.assertEqual([w.name for w in found], [name.removesuffix(f"-{second}")])
                if second:
                    # Browsers come through an Ingress, which needs one address.
                    self.assertNotIn("clusterIP", service["spec"])
                    self.assertEqual([port["targetPort"] for port in service["spec"]["ports"]], [second])
                    continue
                grpc = found[0].labels["app.kubernetes.io/component"] == "service"
                self.assertEqual(service["spec"].get("clusterIP") == "None", grpc, "the gateway balances by itself")

    def test_upstreams_are_services(self):
        for overlay in OVERLAYS:
            gateway = next(w for w in workloads(overlay) if w.name == "xuanlan-gateway")
            services, upstreams = objects(overlay, "Service"), gateway.upstreams(overlay)
            for target in upstreams.values():
                host, port = target.split(":")
                self.assertEqual(services[host]["spec"]["ports"][0]["port"], int(port))
            self.assertEqual(len(upstreams), len(SERVICES))

    def test_a_rolling_update_loses_nothing(self):
        for overlay, workload in self.each():
            if workload.kind != "Deployment" or workload.service == "sandbox":
                continue
            rolling = workload.object["spec"]["strategy"]["rollingUpdate"]
            self.assertEqual(rolling["maxUnavailable"], 0)
            if overlay != "dev":
                budget = objects(overlay, "PodDisruptionBudget")[workload.name]["spec"]
                self.assertEqual(budget["maxUnavailable"], 1)
                self.assertTrue(matches(budget["selector"], workload.labels))
            env = {e["name"]: e.get("value") for e in workload.container["env"]}
            readiness = workload.container["readinessProbe"]
            noticed = readiness["periodSeconds"] * readiness["failureThreshold"]
            if workload.service == "gateway":
                wait = int(env["XUANLAN__GATEWAY__DRAIN_WAIT_MS"]) / 1000
                self.assertGreater(wait, noticed, "proxies hear of it before it stops")
                self.assertGreater(seconds(workload), wait + int(env["XUANLAN__GATEWAY__DRAIN_LIMIT_S"]))
            else:
                [_, wait] = workload.container["lifecycle"]["preStop"]["exec"]["command"]
                # The gateway resolves every 5 s, a name lives 5 s, a call takes at most 20 s, jobs return in 20 s.
                self.assertGreaterEqual(int(wait), 10)
                self.assertGreaterEqual(seconds(workload), int(wait) + 20 + 20)

    def test_jobs_fit_into_the_pod(self):
        units = {"Mi": 1, "Gi": 1024}
        for _, workload in self.each():
            if workload.service != "process" or workload.kind == "Job":
                continue
            env = {e["name"]: e.get("value") for e in workload.container["env"]}
            limit = workload.container["resources"]["limits"]["memory"]
            mebibytes = int(limit[:-2]) * units[limit[-2:]]
            jobs = int(env["XUANLAN__PROCESS__WORKERS"]) * int(env["XUANLAN__PROCESS__JOB_MEMORY_MB"])
            self.assertGreaterEqual(mebibytes, jobs + 256)


    def test_the_console_is_at_no_host_of_the_site(self):
        for overlay in OVERLAYS:
            gateway = next(w for w in workloads(overlay) if w.name == "xuanlan-gateway")
            ports = {port["name"]: port["containerPort"] for port in gateway.container["ports"]}
            env = {e["name"]: e.get("value") for e in gateway.container["env"]}
            self.assertEqual(env["XUANLAN__GATEWAY__CONSOLE__LISTEN"], f"0.0.0.0:{ports['console']}")
            hosts = {}
            for ingress in objects(overlay, "Ingress").values():
                for rule in ingress["spec"]["rules"]:
                    for path in rule["http"]["paths"]:
                        hosts.setdefault(path["backend"]["service"]["name"], set()).add(rule["host"])
                        if path["backend"]["service"]["name"] == "xuanlan-gateway-console":
                            allowed = "nginx.ingress.kubernetes.io/whitelist-source-range"
                            self.assertTrue(ingress["metadata"]["annotations"][allowed])
            own = hosts.pop("xuanlan-gateway-console", set())
            self.assertEqual(len(own), 0 if overlay == "dev" else 1)
            self.assertFalse(own & set().union(*hosts.values()))
            # Shared works as well.
            self.assertEqual(env["XUANLAN__GATEWAY__EMBED__LISTEN"], f"0.0.0.0:{ports['embed']}")
            shared = hosts.pop("xuanlan-gateway-embed", set())
            self.assertEqual(len(shared), 0 if overlay == "dev" else 1)
            self.assertFalse(shared & own.union(*hosts.values()))


class Network(Case):
    def policies(self, overlay):
        return {name: p["spec"] for name, p in objects(overlay, "NetworkPolicy").items()}

    def allowed(self, overlay: str) -> set[tuple[str, str]]:
        """Pairs of pods (from, to) that may connect: one policy allows the egress and another the ingress."""
        pods = workloads(overlay)
        out, into = set(), set()
        for spec in self.policies(overlay).values():
            mine = [w for w in pods if matches(spec["podSelector"], w.labels)]
            for direction, key, pairs in (("egress", "to", out), ("ingress", "from", into)):
                for rule in spec.get(direction, []):
                    # A rule without peers admits all pods.
                    peers = rule.get(key, [{"podSelector": {}}])
                    within = [p["podSelector"] for p in peers if set(p) == {"podSelector"}]
                    others = [w for w in pods if any(matches(selector, w.labels) for selector in within)]
                    ends = {(one.name, other.name) for one in mine for other in others}
                    pairs |= ends if direction == "egress" else {end[::-1] for end in ends}
        return out & into

    def test_everything_is_denied_first(self):
        for overlay in OVERLAYS:
            deny = self.policies(overlay)["xuanlan-default-deny"]
            self.assertEqual(deny, {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]})

    def test_every_peer_of_a_policy_exists(self):
        for overlay in OVERLAYS:
            pods = workloads(overlay)
            for name, spec in self.policies(overlay).items():
                with self.subTest(overlay=overlay, policy=name):
                    if name != "xuanlan-postgres-from-keda":
                        self.assertTrue(any(matches(spec["podSelector"], w.labels) for w in pods))
                    for rule in spec.get("ingress", []) + spec.get("egress", []):
                        for peer in rule.get("from", []) + rule.get("to", []):
                            if "podSelector" in peer and "namespaceSelector" not in peer:
                                self.assertTrue(any(matches(peer["podSelector"], w.labels) for w in pods), peer)

    def test_only_the_consoles_own_ingress_is_let_in_to_it(self):
        for overlay in OVERLAYS:
            rules = [
                rule
                for spec in self.policies(overlay).values()
                for rule in spec.get("ingress", [])
                if any(port.get("port") == "console" for port in rule.get("ports", [{"port": "console"}]))
            ]
            peers = [peer for rule in rules for peer in rule.get("from", [{}])]
            controller = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "ingress-nginx"}}}
            self.assertEqual(peers, [] if overlay == "dev" else [controller])

    def test_pods_speak_as_the_architecture_says(self):
        services = SERVICES
        expected = {("gateway", service) for service in services}
        expected |= {(s, "rabbitmq") for s in ["gateway", "sandbox", *services]}
        expected |= {(s, "postgres") for s in services} | {(f"migrate-{s}", "postgres") for s in services}
        expected |= {(f"migrate-{s}", "rabbitmq") for s in services}
        expected |= {(name, "redis") for name in ["gateway", *users("cache")]}
        expected |= {(name, "objectstore") for name in users("objects")}
        expected |= {(name, "kafka") for name in users("stream")}
        found = {tuple(end.removeprefix("xuanlan-") for end in pair) for pair in self.allowed("dev")}
        self.assertEqual(found, expected)
        production = {tuple(end.removeprefix("xuanlan-") for end in pair) for pair in self.allowed("prod")}
        self.assertEqual(production, {("gateway", service) for service in services})

