import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTypes, { astToString, type OpenAPI3 } from "openapi-typescript";
import { createTestApp } from "../../packages/api/src/testing/test-app.ts";

/**
 * Writes the types of the API for the client: `npm run openapi`. With `--check` it writes nothing and ends with 1 if
 * they are stale. The document is the one that the service serves, from an application that listens on nothing.
 */
const root = join(import.meta.dirname, "../..");
const PATH = "packages/client/src/generated/api.ts";
const HEAD = "// Generated from the routes' schemas by `npm run openapi`. Not edited by hand.\n\n";

const [option, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (option !== undefined && option !== "--check")) {
  console.error("Usage: npm run openapi [-- --check]");
  process.exit(2);
}

const file = join(root, PATH);
const fresh = formatted(HEAD + astToString(await typesOfTheApi()));
if (existsSync(file) && readFileSync(file, "utf8") === fresh) process.exit(0);
if (option === "--check") {
  console.error(`${PATH} is stale: run npm run openapi.`);
  process.exit(1);
}
writeFileSync(file, fresh);
console.log(`wrote ${PATH}`);

async function typesOfTheApi() {
  const { app } = await createTestApp();
  const document = (await app.inject("/v1/openapi.json")).json<OpenAPI3>();
  await app.close();
  // What has a default may be left out of a request.
  return await openapiTypes(document, { alphabetize: true, defaultNonNullable: false });
}

function formatted(source: string): string {
  const run = spawnSync(join(root, "node_modules/.bin/oxfmt"), [`--stdin-filepath=${PATH}`], {
    cwd: root,
    input: source,
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`oxfmt: ${run.stderr}`);
  return run.stdout;
}
