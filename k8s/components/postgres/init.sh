#!/bin/bash
# Runs once, when an empty PostgreSQL starts: creates a role and a database per service, each with access to its own only.
# Passwords are in PASSWORD_AUTH or PASSWORD_auth and so on; they contain only letters and digits (deploy/make_secrets.py).
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
