# Shared by the scripts: where the project is, and how a missing Debian package is installed. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() {
    printf '\n\033[1m• %s\033[0m\n' "$*"
}

fail() {
    printf '\n%s\n' "$*" >&2
    exit 1
}

# need COMMAND|FILE PACKAGE …: installs the package when the command or file is missing.
missing=()
need() {
    local what=$1
    shift
    if [[ $what == /* ]]; then
        compgen -G "$what" >/dev/null || missing+=("$@")
    else
        command -v "$what" >/dev/null || missing+=("$@")
    fi
}

# want FILE PACKAGE …: the same for what things also work without, where it can be installed.
want() {
    if command -v apt-get >/dev/null && { [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; }; then
        need "$@"
    fi
}

install_missing() {
    [ ${#missing[@]} -eq 0 ] && return
    if ! command -v apt-get >/dev/null; then
        fail "Please install first: ${missing[*]}"
    fi
    local become=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "Please install first, as root: apt-get install ${missing[*]}"
        become=(sudo)
    fi
    say "Installing from Debian: ${missing[*]}"
    "${become[@]}" apt-get update -qq
    # RabbitMQ, PostgreSQL and Redis must not start by themselves: the tests start their own.
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    missing=()
}

need_toolchains() {
    command -v cargo >/dev/null || fail "The Rust toolchain is missing: install rustup, then 'rustup default stable' (1.95 or newer)."
    command -v node >/dev/null || fail "Node.js is missing: install version 20 or newer."
    command -v npm >/dev/null || fail "npm is missing: it comes with Node.js."
    local version
    version=$(node -p 'process.versions.node.split(".")[0]')
    [ "$version" -ge 20 ] || fail "Node.js $version is too old: 20 or newer is needed."
    need cc build-essential
    need c++ build-essential
    need make build-essential
    # STEP and IGES: 38 MB to fetch, 188 MB on the disk (83 of them to run, the rest to build). Without it those two
    # formats say so.
    want /usr/include/opencascade/STEPCAFControl_Reader.hxx libocct-data-exchange-dev
    need /usr/include/draco/compression/decode.h libdraco-dev
    need /usr/include/archive.h libarchive-dev
    need /usr/include/zstd.h libzstd-dev
    need /usr/include/jpeglib.h libjpeg62-turbo-dev
}

# The npm packages of a folder, installed when its lock file has changed.
npm_packages() {
    local folder=$1 stamp=$1/node_modules/.lock-of-install
    if [ ! -f "$stamp" ] || ! cmp -s "$folder/package-lock.json" "$stamp"; then
        say "Installing npm packages of ${folder#"$root"/}"
        # Not `npm ci`: it refuses a lock file that was written where packages of other platforms are not offered.
        # The versions are those of the lock file all the same, and --no-save leaves it as it is.
        (cd "$folder" && npm install --no-save --no-audit --no-fund --loglevel=error)
        cp "$folder/package-lock.json" "$stamp"
    fi
}

# Where downloads are kept that no build makes: outside the tree, shared by all checkouts.
cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/xuanlan
test_python=$cache/test-python/bin/python

# The Python packages of the tests in an environment of their own, made anew when their list has changed.
python_packages() {
    local folder=$cache/test-python list=$root/scripts/test-requirements.txt
    if [ ! -f "$folder/.list" ] || ! cmp -s "$list" "$folder/.list"; then
        say "Installing Python packages of the tests"
        rm -rf "$folder"
        python3 -m venv "$folder"
        "$test_python" -m pip install --quiet --disable-pip-version-check -r "$list"
        cp "$list" "$folder/.list"
    fi
}

# The frontend and the page of offline packages, built when something they are made of is newer than the last build.
# The page goes into the engine, so this comes before cargo.
build_frontend() {
    local dist=$root/frontend/dist offline=$root/frontend/dist-offline/viewer.html
    npm_packages "$root/frontend"
    local newer=
    if [ -f "$dist/index.html" ] && [ -f "$offline" ]; then
        newer=$(find "$root/frontend" "$root/proto/openapi.json" \( -name node_modules -o -name dist -o -name dist-offline \) -prune -o -type f -newer "$dist/index.html" -print -quit)
        [ -z "$newer" ] && return
    fi
    say "Building the frontend"
    (cd "$root/frontend" && npm run --silent build)
    touch "$dist/index.html"
}
