// Generates src/api/schema.d.ts from openapi.json, which the Rust wire types
// produce. With `--check` it only compares, and fails when the file is stale.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const source = new URL("../openapi.json", import.meta.url);
const target = new URL("../src/api/schema.d.ts", import.meta.url);

const banner = "// Generated from openapi.json by `npm run types`. Do not edit.\n\n";
const document = JSON.parse(await readFile(source, "utf8"));
const generated = banner + astToString(await openapiTS(document));

if (process.argv.includes("--check")) {
  const present = await readFile(target, "utf8").catch(() => "");
  if (present !== generated) {
    console.error(`${fileURLToPath(target)} is stale: run \`npm run types\` in web/ and commit it.`);
    process.exit(1);
  }
} else {
  await writeFile(target, generated);
}
