import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Links of these pages of a folder that lead to no file in it, or to a heading that a page does not have. */
export function deadLinks(folder: string, pages: readonly string[]): string[] {
  return pages.flatMap((page) =>
    linksOf(readFileSync(join(folder, page), "utf8"))
      .filter((link) => isDead(folder, page, link))
      .map((link) => `${page}: ${link}`),
  );
}

function isDead(folder: string, page: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return false;
  const [path = "", heading] = link.split("#");
  const file = path === "" ? join(folder, page) : resolve(folder, dirname(page), path);
  if (relative(folder, file).startsWith("..") || !existsSync(file)) return true;
  if (heading === undefined || !file.endsWith(".md")) return false;
  return !headingsOf(readFileSync(file, "utf8")).has(heading);
}

export function linksOf(text: string): string[] {
  const prose = withoutCode(text);
  const inline = [...prose.matchAll(/\]\(([^()\s]+)(?:\s+"[^"]*")?\)/g)];
  const defined = [...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  return [...inline, ...defined].map(([, link]) => String(link));
}

const BLOCKS = /^ *(```|~~~)[^]*?^ *\1 *$/gm;

/** Also without comments. Brackets mean something else in both. */
function withoutCode(text: string): string {
  return text
    .replaceAll(BLOCKS, "")
    .replaceAll(/<!--[^]*?-->/g, "")
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, "_"));
}

/** As GitHub makes anchors of them. */
function headingsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, title = ""] of text.replaceAll(BLOCKS, "").matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const anchor = title
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-");
    let name = anchor;
    for (let count = 1; anchors.has(name); count += 1) name = `${anchor}-${count}`;
    anchors.add(name);
  }
  return anchors;
}
