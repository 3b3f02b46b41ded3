import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestApp } from "../packages/api/src/testing/test-app.ts";
import { importOnDemand, onDemand } from "./on-demand/install.ts";

/**
 * Has the OpenAPI document examined by Spectral's and Redocly's recommended rules: `npm run lint:openapi`, also for a
 * document in a file that is named. Ends with 1 and what they say, where they find an error or a warning.
 */
const TOOL = "openapi-linters";

/** Spectral, as far as it is used. Severities: 0 error, 1 warning. */
interface Core {
  Spectral: new () => { setRuleset(ruleset: object): void; run(source: string): Promise<Found[]> };
}
interface Rulesets {
  oas: object;
}
interface Found {
  code: string | number;
  message: string;
  path: (string | number)[];
  severity: number;
}

const [file, ...rest] = process.argv.slice(2);
if (rest.length > 0) {
  console.error("Usage: npm run lint:openapi [-- FILE]");
  process.exit(2);
}
const text = file === undefined ? await servedDocument() : readFileSync(file, "utf8");
const faults = new Set([...(await bySpectral(text)), ...(await byRedocly(text))]);
for (const sentence of faults) console.error(sentence);
console.log(
  faults.size === 0
    ? "Spectral and Redocly find nothing in the OpenAPI document."
    : `${faults.size} findings in the OpenAPI document.`,
);
process.exit(faults.size === 0 ? 0 : 1);

/** From an application that listens on nothing. */
async function servedDocument(): Promise<string> {
  const { app } = await createTestApp();
  const { body } = await app.inject("/v1/openapi.json");
  await app.close();
  return body;
}

async function bySpectral(document: string): Promise<string[]> {
  const { Spectral } = await importOnDemand<Core>(TOOL, "@stoplight/spectral-core");
  const { oas } = await importOnDemand<Rulesets>(TOOL, "@stoplight/spectral-rulesets");
  const spectral = new Spectral();
  // It knows names in a requirement as OAuth's scopes only; OpenAPI 3.1 has them for every scheme, as what a key may do.
  spectral.setRuleset({ extends: [oas], rules: { "oas3-operation-security-defined": "off" } });
  const found = await spectral.run(document);
  return found
    .filter(({ severity }) => severity <= 1)
    .map(({ code, message, path }) => `spectral ${code}, at ${path.join("/")}: ${message}`);
}

async function byRedocly(document: string): Promise<string[]> {
  const program = join(await onDemand(TOOL), "node_modules/@redocly/cli/bin/cli.js");
  const folder = mkdtempSync(join(tmpdir(), "markethook-openapi-"));
  try {
    const path = join(folder, "openapi.json");
    writeFileSync(path, document);
    const run = spawnSync(process.execPath, [program, "lint", "--format=json", path], {
      cwd: folder,
      encoding: "utf8",
      // It asks nobody whether there is a newer one, and tells nobody that it ran.
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" },
    });
    const start = run.stdout.indexOf("{");
    if (start === -1) throw new Error(`redocly said nothing that can be read: ${run.stderr}`);
    const { problems } = JSON.parse(run.stdout.slice(start)) as {
      problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
    };
    return problems.map(
      ({ ruleId, message, location }) =>
        `redocly ${ruleId}, at ${location[0]?.pointer ?? "?"}: ${message}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
