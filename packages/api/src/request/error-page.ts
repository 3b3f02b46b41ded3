import { ERRORS, type ErrorEntry } from "@markethook/protocol";

/** The page that the `type` of problems points to, made from the catalogue. */
export function errorPage(): string {
  const sections = Object.entries<ErrorEntry>(ERRORS).map(
    ([code, { status, title, advice }]) =>
      `<section id="${code}"><h2><a href="#${code}">${code}</a></h2><p>${
        status === undefined ? "" : `<b>${status}</b> `
      }${escape(title)}</p><p>${escape(advice)}</p></section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Error codes</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui;max-width:45rem;margin:2rem auto;padding:0 1rem}h2{font:600 1rem ui-monospace,monospace;margin:2rem 0 0}p{margin:.25rem 0}:target{outline:2px solid;outline-offset:.5rem}</style>
</head><body><h1>Error codes</h1>
${sections.join("\n")}
</body></html>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
