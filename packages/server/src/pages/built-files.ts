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
 * The files of a build, listed once: a request can only name files that existed then. Sizes are those of the moment, because
 * an upgrade may replace files below a running service. A path is relative, with slashes; one that is empty or ends with a
 * slash means the index of that folder.
 */
export function listBuiltFiles(folder: string) {
  const names = new Set(
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
      name.split(sep).join("/"),
    ),
  );
  return {
    /** Null: there is none. */
    find(path: string, encoding: BuiltFile["encoding"]): BuiltFile | null {
      const name = path === "" || path.endsWith("/") ? `${path}index.html` : path;
      const type = TYPES[extname(name)];
      if (type === undefined) return null;
      const copy = encoding === null ? null : name + COPIES[encoding];
      const isCopy = copy !== null && names.has(copy);
      const sent = isCopy ? copy : name;
      if (!names.has(sent)) return null;
      const file = join(folder, sent);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (stat === undefined) return null;
      return {
        type,
        etag: `"${Math.trunc(stat.mtimeMs).toString(36)}-${stat.size.toString(36)}"`,
        encoding: isCopy ? encoding : null,
        bytes: stat.size,
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
