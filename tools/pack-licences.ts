import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licences of all packages that some of these files belong to, as one text. Throws where one has none. */
export function licenceText(root: string, moduleIds: readonly string[]): string {
  return asText([...partsOf(moduleIds), swaggerUi(root)]);
}

/** The same of a package that has nothing copied into it; null where nothing in it is of others. */
export function licenceTextOf(moduleIds: readonly string[]): string | null {
  const parts = partsOf(moduleIds);
  return parts.length === 0 ? null : `${asText(parts)}\n`;
}

function asText(parts: readonly string[]): string {
  const head = "This package contains software of others, under these licences.";
  return [head, ...parts].join(`\n\n${"=".repeat(80)}\n\n`);
}

function partsOf(moduleIds: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const id of moduleIds) {
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replace(/^\0/, ""))?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders].sort().map(partOf);
}

function partOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Record<string, unknown>;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (typeof license !== "string" && texts.length === 0) {
    throw new Error(`${String(name)} has no licence.`);
  }
  return [`${String(name)} ${String(version)} (${String(license)})`, ...texts].join("\n\n");
}

/** The API reference's files come without their licence's text; TypeScript has the same one. */
function swaggerUi(root: string): string {
  const apache = join(root, "node_modules/typescript/LICENSE");
  const file = [apache, `${apache}.txt`].find(existsSync);
  if (file === undefined) throw new Error("The text of the Apache licence was not found.");
  const head =
    "Swagger UI, in dist/ui/assets (Apache-2.0). Copyright 2020-2026 SmartBear Software Inc.";
  return `${head}\n\n${readFileSync(file, "utf8").trim()}`;
}
