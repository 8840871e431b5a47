// Runs Khronos' glTF validator over the files named on the command line; prints one JSON line per file with errors.
import { readFile } from "node:fs/promises";
import { validateBytes } from "gltf-validator";

let failed = 0;
for (const file of process.argv.slice(2)) {
  const report = await validateBytes(new Uint8Array(await readFile(file)), { maxIssues: 20, writeTimestamp: false });
  if (report.issues.numErrors > 0) {
    failed += 1;
    const errors = report.issues.messages.filter((issue) => issue.severity === 0);
    console.log(JSON.stringify({ file, errors }));
  }
}
process.exitCode = failed === 0 ? 0 : 1;
