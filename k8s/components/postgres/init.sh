#!/bin/bash
# Runs once, when an empty PostgreSQL starts: a role and a database for each service. Each may reach its own only.
# Passwords come as PASSWORD_AUTH or PASSWORD_auth and so on; they have letters and digits only (deploy/make_secrets.py).
set -euo pipefail
for variable in "${!PASSWORD_@}"; do
    service=${variable#PASSWORD_}
    service=${service,,}
    [ "$service" != superuser ] || continue
    psql -v ON_ERROR_STOP=1 --username postgres --set=password="${!variable}" <<SQL
CREATE ROLE "$service" LOGIN PASSWORD :'password';
CREATE DATABASE "$service" OWNER "$service";
REVOKE CONNECT ON DATABASE "$service" FROM PUBLIC;
SQL
done
