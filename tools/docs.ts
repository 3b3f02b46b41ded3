import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configurationPage } from "./docs/configuration-page.ts";
import { deliveryStatesPage } from "./docs/delivery-states-page.ts";
import { doctorPage } from "./docs/doctor-page.ts";

/**
 * Writes what is generated in the documentation: `npm run docs`. With `--check` it writes nothing and ends with 1
 * if something is stale. Generated are the pages named below. In all other pages, each code block after a line
 * `<!-- file: path -->` becomes that file.
 */
const root = join(import.meta.dirname, "..");
const WHOLE: Readonly<Record<string, () => string>> = {
  "docs/reference/configuration.md": configurationPage,
  "docs/reference/doctor.md": doctorPage,
  "docs/reference/state-machine.md": deliveryStatesPage,
};

const [option, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (option !== undefined && option !== "--check")) {
  console.error("Usage: npm run docs [-- --check]");
  process.exit(2);
}

let stale = 0;
for (const path of new Set([...Object.keys(WHOLE), ...globSync("docs/**/*.md", { cwd: root })])) {
  const file = join(root, path);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const page = WHOLE[path]?.() ?? quoteFiles(before);
  if (before === page) continue;
  if (option === "--check") {
    console.error(`${path} is stale: run npm run docs.`);
    stale += 1;
  } else {
    writeFileSync(file, page);
    console.log(`wrote ${path}`);
  }
}
process.exit(stale === 0 ? 0 : 1);

function quoteFiles(page: string): string {
  return page.replace(
    /(<!-- file: (\S+) -->\n\n```\w+\n)[^]*?^```$/gm,
    (_block, start: string, path: string) =>
      `${start}${readFileSync(join(root, path), "utf8").trimEnd()}\n\`\`\``,
  );
}
