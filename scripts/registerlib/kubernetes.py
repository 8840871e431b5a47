"""Content of k8s/ generated from the register."""

from . import Row

MADE = "# Made by scripts/register from services.toml: change it there or in scripts/registerlib, or lay a patch over it.\n"


def account(name: str) -> str:
    return f"""\
apiVersion: v1
kind: ServiceAccount
metadata:
  name: xuanlan-{name}
automountServiceAccountToken: false
"""


def network_name(row: Row) -> str:
    return f"""\
apiVersion: v1
kind: Service
metadata:
  name: xuanlan-{row.name}
  labels: {{app.kubernetes.io/name: xuanlan-{row.name}}}
spec:
  # Headless: the gateway resolves the name again and again and balances over all addresses itself.
  clusterIP: None
  selector: {{app.kubernetes.io/name: xuanlan-{row.name}}}
  ports:
    - name: grpc
      port: {row.port}
      targetPort: main
      appProtocol: kubernetes.io/h2c
"""


def front(row: Row) -> str:
    """The Service for browsers on the second port, for use by an Ingress."""
    return f"""\
apiVersion: v1
kind: Service
metadata:
  name: xuanlan-{row.name}-front
  labels: {{app.kubernetes.io/name: xuanlan-{row.name}-front}}
spec:
  selector: {{app.kubernetes.io/name: xuanlan-{row.name}}}
  ports:
    - name: http
      port: 80
      targetPort: front
      appProtocol: http
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: xuanlan-{row.name}-front
spec:
  podSelector: {{matchLabels: {{app.kubernetes.io/name: xuanlan-{row.name}}}}}
  policyTypes: [Ingress]
  ingress:
    - ports:
        - {{protocol: TCP, port: front}}
"""


def secret(variable: str, name: str, key: str) -> str:
    return f"""\
            - name: XUANLAN__{variable}
              valueFrom: {{secretKeyRef: {{name: xuanlan-{name}, key: {key}}}}}
"""


def secrets(row: Row, cache: bool) -> str:
    text = secret("DATABASE__URL", f"database-{row.name}", "url") + secret("BUS__URL", "bus", "url")
    if cache:
        text += secret("CACHE__URL", "cache", "url")
    text += secret("PRINCIPAL__PUBLIC_KEYS", "principal", "public-keys")
    if "objects" in row.uses:
        text += secret("OBJECTS__ACCESS_KEY", "objects", "access-key")
        text += secret("OBJECTS__SECRET_KEY", "objects", "secret-key")
    return text


def config_maps(*names: str) -> str:
    return "".join(f"            - configMapRef: {{name: xuanlan-{name}}}\n" for name in names)


def deployment(row: Row) -> str:
    labels = {"cache": "cache", "objects": "objects", "stream": "kafka"}
    uses = "".join(f'        uses-{labels[use]}: "true"\n' for use in row.uses)
    shared = config_maps("settings", *(use for use in row.uses if use != "cache"))
    browsers = f"            - name: front\n              containerPort: {row.front}\n" if row.front else ""
    return f"""\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: xuanlan-{row.name}
  labels: {{app.kubernetes.io/name: xuanlan-{row.name}, app.kubernetes.io/component: service}}
spec:
  replicas: {row.replicas[0]}
  selector:
    matchLabels: {{app.kubernetes.io/name: xuanlan-{row.name}}}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: xuanlan-{row.name}
        app.kubernetes.io/component: service
        uses-postgres: "true"
        uses-bus: "true"
{uses}    spec:
      serviceAccountName: xuanlan-{row.name}
      containers:
        - name: service
          image: xuanlan
          args: [{row.name}]
          ports:
            - name: main
              containerPort: {row.port}
{browsers}          envFrom:
{shared}          env:
            - name: XUANLAN__{row.name.upper()}__LISTEN
              value: 0.0.0.0:{row.port}
{secrets(row, "cache" in row.uses)}          resources:
            requests:
              cpu: {row.cpu}
              memory: {row.memory}
            limits:
              memory: {row.limit}
"""


def budget(name: str) -> str:
    return f"""\
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: xuanlan-{name}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{app.kubernetes.io/name: xuanlan-{name}}}
"""


def migration(row: Row) -> str:
    return f"""\
apiVersion: batch/v1
kind: Job
metadata:
  name: xuanlan-migrate-{row.name}
  labels: {{app.kubernetes.io/name: xuanlan-migrate-{row.name}, app.kubernetes.io/component: migration}}
spec:
  template:
    metadata:
      labels:
        app.kubernetes.io/name: xuanlan-migrate-{row.name}
        app.kubernetes.io/component: migration
        uses-postgres: "true"
        uses-bus: "true"
    spec:
      serviceAccountName: xuanlan-{row.name}
      containers:
        - name: service
          image: xuanlan
          args: [{row.name}, migrate]
          envFrom:
{config_maps("settings", *(["objects"] if "objects" in row.uses else []))}          env:
{secrets(row, cache=False)}"""


def service(row: Row) -> list[str]:
    reached = [front(row)] if row.front else []
    return [account(row.name), network_name(row), *reached, deployment(row), budget(row.name), migration(row)]


def base(rows: list[Row]) -> str:
    """k8s/base/register.yaml: every service, and their addresses for the gateway."""
    parts = [upstreams(rows), *(part for row in rows for part in service(row))]
    return MADE + "---\n".join(parts)


def autoscaler(row: Row) -> str:
    least, most = row.replicas
    return f"""\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: xuanlan-{row.name}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: xuanlan-{row.name}}}
  minReplicas: {least}
  maxReplicas: {most}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: {{type: Utilization, averageUtilization: 70}}
  behavior:
    scaleDown:
      stabilizationWindowSeconds: 300
      policies:
        - {{type: Pods, value: 1, periodSeconds: 60}}
"""


def autoscaling(rows: list[Row]) -> str:
    """k8s/components/autoscaling/autoscaling.yaml."""
    return MADE + "---\n".join(autoscaler(row) for row in rows if row.role in ("gateway", "service"))


def upstreams(rows: list[Row]) -> str:
    return """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: xuanlan-upstreams
data:
""" + "".join(f"  XUANLAN__GATEWAY__UPSTREAMS__{row.name.upper()}: xuanlan-{row.name}:{row.port}\n" for row in rows)


def database_secrets(rows: list[Row]) -> str:
    return "".join(
        f"  - {{name: xuanlan-database-{row.name}, envs: [secrets/database-{row.name}.env]}}\n" for row in rows
    )
