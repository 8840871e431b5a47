# Shared by the scripts: the project's paths, and the installation of missing Debian packages. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Shared by all checkouts: downloads, and compiled third-party sources. May be deleted at any time.
cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/xuanlan

say() {
    printf '\n\033[1m• %s\033[0m\n' "$*"
}

fail() {
    printf '\n%s\n' "$*" >&2
    exit 1
}

# help_first ARGUMENTS: with --help or -h among them, only prints the script's leading comment. A script calls it before
# it installs, builds or measures anything.
help_first() {
    case " $* " in
    *" --help "* | *" -h "*)
        sed -n '2,${/^#/!q;s/^# \{0,1\}//p}' "$0"
        exit
        ;;
    esac
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

# want FILE PACKAGE …: the same for optional packages, if they can be installed.
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

# Downloaded if the machine's Node.js is too old for the packages of the frontend: the long-term version, and an npm
# that runs on it (Debian's own npm only runs on Debian's own Node.js).
node_version=24.21.0
npm_version=11.19.1
# The range that the packages require, the same as `engines` in frontend/package.json.
node_range="22.22.2 or newer of 22, 24.15 or newer of 24, or 26 or newer"

# node_serves COMMAND: whether this Node.js is in the range.
node_serves() {
    "$1" -e 'const [major, minor, patch] = process.versions.node.split(".").map(Number);
        const late = { 22: minor > 22 || (minor === 22 && patch >= 2), 24: minor >= 15 };
        process.exit(major >= 26 || late[major] ? 0 : 1);' 2>/dev/null
}

# Puts a Node.js in the range first on PATH: the machine's, which is left alone, or one of the project's own, in $cache. Concurrent
# scripts download it once; later runs need no network.
need_node() {
    if command -v node >/dev/null && command -v npm >/dev/null && node_serves node; then return; fi
    local own=$cache/node-$node_version
    # Nothing on stdout: some callers read the output of the command they start.
    [ -x "$own/bin/node" ] || fetch_node "$own" >&2 || exit 1
    export PATH="$own/bin:$PATH"
    hash -r
}

# fetch_node FOLDER: installs Node.js and npm from the npm registry; the folder only exists once they run.
fetch_node() (
    found="Node.js is missing"
    if command -v node >/dev/null; then found="Node.js $(node --version) is too old"; fi
    advice="Install Node.js $node_range, with its npm (https://nodejs.org)."
    if ! { command -v node && command -v npm; } >/dev/null; then
        fail "$found, and without an npm none can be fetched. $advice"
    fi
    mkdir -p "$cache"
    exec 9>"$cache/node.lock"
    flock 9
    [ -x "$1/bin/node" ] && exit
    say "$found: fetching $node_version from npm into $1"
    made=$(mktemp -d "$cache/node.XXXXXX")
    chmod 755 "$made"
    trap 'rm -rf "$made"' EXIT
    # The package that `node` would fetch in an install script, which npm may be configured not to run.
    binary=node-$(node -p 'process.platform + "-" + process.arch')
    # In a separate project: without the settings, workspace and lock file of this one.
    echo '{"private": true}' >"$made/package.json"
    (cd "$made" && npm install --prefer-offline --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
        "$binary@$node_version" "npm@$npm_version") ||
        fail "Node.js $node_version could not be fetched (npm says why, above). Try again with a network. Or: $advice"
    mkdir "$made/bin"
    mv "$made/node_modules/$binary/bin/node" "$made/bin/node"
    rm -rf "$made/node_modules/$binary"
    ln -s ../node_modules/npm/bin/npm-cli.js "$made/bin/npm"
    ln -s ../node_modules/npm/bin/npx-cli.js "$made/bin/npx"
    node_serves "$made/bin/node" && PATH="$made/bin:$PATH" npm --version >/dev/null ||
        fail "The Node.js $node_version of npm does not run on this machine. $advice"
    mv -T "$made" "$1"
    trap - EXIT
)

need_toolchains() {
    command -v cargo >/dev/null || fail "The Rust toolchain is missing: install rustup, then 'rustup default stable' (1.95 or newer)."
    need_node
    need cc build-essential
    need c++ build-essential
    need make build-essential
    # Reuses C++ objects compiled by other clones.
    want /usr/bin/ccache ccache
    # STEP and IGES: a download of 38 MB, 188 MB on the disk (83 of them at run time, the rest for the build). Without it these two
    # formats report that they are not supported.
    want /usr/include/opencascade/STEPCAFControl_Reader.hxx libocct-data-exchange-dev
    need /usr/include/draco/compression/decode.h libdraco-dev
    need /usr/include/archive.h libarchive-dev
    need /usr/include/zstd.h libzstd-dev
    need /usr/include/jpeglib.h libjpeg62-turbo-dev
}

# npm_packages FOLDER [build]: installs its npm packages if the lock file has changed. With `build` only those that a build
# needs, unless all were installed before: linters, tests and browsers are most of the files.
npm_packages() {
    local folder=$1 modules=$1/node_modules stamp=.lock-of-install only=()
    need_node
    if [ "${2:-}" = build ] && [ ! -f "$modules/.lock-of-install" ]; then
        stamp=.lock-of-build only=(--omit=dev)
    fi
    if [ ! -f "$modules/$stamp" ] || ! cmp -s "$folder/package-lock.json" "$modules/$stamp"; then
        say "Installing npm packages of ${folder#"$root"/}"
        # Not `npm ci`: it fails when the lock file was written where packages of other platforms are not available.
        # The versions are still those of the lock file, and --no-save leaves it unchanged.
        # --prefer-offline: packages in npm's cache are not revalidated one by one.
        (cd "$folder" && npm install --no-save --prefer-offline --no-audit --no-fund --loglevel=error "${only[@]}")
        cp "$folder/package-lock.json" "$modules/$stamp"
    fi
}

# environment_of LIST [INCLUDED…]: folder of the environment with the Python packages of LIST, by content hash, shared by checkouts.
environment_of() {
    echo "$cache/python/$(cat "$@" | sha256sum | cut -c1-16)"
}

# python_environment LIST [INCLUDED…]: creates it, once for concurrent scripts. Environments unused for a month are deleted.
python_environment() (
    folder=$(environment_of "$@")
    mkdir -p "$cache/python"
    exec 9>"$cache/python/lock"
    flock 9
    if [ ! -f "$folder/complete" ]; then
        say "Installing Python packages: ${1#"$root"/}"
        rm -rf "$folder"
        python3 -m venv "$folder"
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$1" || exit
    fi
    touch "$folder/complete"
    find "$cache/python" -mindepth 2 -maxdepth 2 -name complete -mtime +30 -printf '%h\0' | xargs -0 rm -rf
)

# The Python packages of the tests.
test_lists=("$root/scripts/test-requirements.txt" "$root/services/sandbox/tests/python/requirements.txt")
test_python=$(environment_of "${test_lists[@]}")/bin/python

python_packages() {
    python_environment "${test_lists[@]}"
}

# python_tests PYTHON [PYTEST-OPTION…]: runs the tests of the current folder.
python_tests() {
    PYTHONDONTWRITEBYTECODE=1 "$1" -m pytest -c "$root/tests/pytest.ini" --rootdir . "${@:2}"
}

# Builds the frontend and the page of offline packages if their sources have changed since the last build: compared by content,
# since a deleted file has no time. The engine embeds the page, so this comes before cargo.
build_frontend() {
    local dist=$root/frontend/dist offline=$root/frontend/dist-offline/viewer.html stamp=$root/.cache/frontend of
    npm_packages "$root/frontend" build
    of=$(cd "$root" && find frontend proto/openapi.json crates/facts/src services/{auth,order,process}/src/default.toml \
        \( -name node_modules -o -name dist -o -name dist-offline -o -name generated -o -path frontend/src/facts \) -prune -o -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)
    if [ -f "$dist/index.html" ] && [ -f "$offline" ] && [ "$of" = "$(cat "$stamp" 2>/dev/null)" ]; then
        return
    fi
    say "Building the frontend"
    (cd "$root/frontend" && npm run --silent build)
    # Including the compressed forms: the gateway ignores one that is older than its original.
    touch "$dist"/index.html*
    mkdir -p "${stamp%/*}"
    echo "$of" >"$stamp"
}
