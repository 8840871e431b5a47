/**
 * Reads the default configuration of a service: the part of TOML that these files use. Anything else is an error, so that
 * a new notation cannot be misread.
 *
 * @param {string} text
 * @returns {Record<string, any>}
 */
export function parseDefaults(text) {
  const result = {};
  let section = result;
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const table = /^\[([a-z0-9_.]+)\]$/.exec(line);
    const item = /^\[\[([a-z0-9_.]+)\]\]$/.exec(line);
    const pair = /^([a-z0-9_]+) = (.+)$/.exec(line);
    if (table) section = inside(result, table[1].split("."), false);
    else if (item) section = inside(result, item[1].split("."), true);
    else if (pair) section[pair[1]] = parseValue(pair[2], index + 1);
    else throw new Error(`line ${index + 1} is not understood: ${line}`);
  }
  return result;
}

/** The table of that name; as the next item of a list with `list`. */
function inside(root, names, list) {
  let table = root;
  for (const name of names.slice(0, -1)) {
    table[name] ??= {};
    table = table[name];
  }
  const last = names.at(-1);
  if (!list) {
    table[last] ??= {};
    return table[last];
  }
  table[last] ??= [];
  table[last].push({});
  return table[last].at(-1);
}

/** Numbers, booleans, texts without escapes, and lists of these are written as in JSON. */
function parseValue(text, line) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`line ${line}: the value is not understood: ${text}`);
  }
}
