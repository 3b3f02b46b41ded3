import { createReadStream, existsSync, type ReadStream, readdirSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};
/** The build puts compressed copies next to text. */
const COPIES = { br: ".br", gzip: ".gz" } as const;

export interface BuiltFile {
  type: string;
  /** ETag of the copy that is sent, with quotes. */
  etag: string;
  encoding: keyof typeof COPIES | null;
  bytes: number;
  open(): ReadStream;
}

/**
 * The files of a build, listed once: a request can only name files that existed then. A path is relative, with slashes;
 * one that is empty or ends with a slash means the index of that folder.
 */
export function listBuiltFiles(folder: string) {
  const sizes = new Map<string, { bytes: number; changedMs: number }>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const { size, mtimeMs } = statSync(join(folder, name));
    sizes.set(name.split(sep).join("/"), { bytes: size, changedMs: mtimeMs });
  }
  return {
    /** Null: there is none. */
    find(path: string, encoding: BuiltFile["encoding"]): BuiltFile | null {
      const name = path === "" || path.endsWith("/") ? `${path}index.html` : path;
      const type = TYPES[extname(name)];
      if (type === undefined) return null;
      const copy = encoding === null ? undefined : sizes.get(name + COPIES[encoding]);
      const size = copy ?? sizes.get(name);
      if (size === undefined) return null;
      const sent = copy === undefined ? null : encoding;
      const file = join(folder, sent === null ? name : name + COPIES[sent]);
      return {
        type,
        etag: `"${Math.trunc(size.changedMs).toString(36)}-${size.bytes.toString(36)}"`,
        encoding: sent,
        bytes: size.bytes,
        open: () => createReadStream(file),
      };
    },
  };
}

/** The folder of the built pages: next to the bundled command, or in the repository. Null: they were not built. */
export function findPageFolder(): string | null {
  const places = [join(import.meta.dirname, "ui"), join(import.meta.dirname, "../../../ui/dist")];
  return places.find((folder) => existsSync(join(folder, "portal/index.html"))) ?? null;
}
