import { createWriteStream, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { cleanLine, cleanText, LIMITS, tooLong } from "../form-text.ts";
import { type Branch, BRANCHES, type FileVersion } from "../shop-data.ts";
import type { Shop } from "../shop.ts";

type Read =
  | { ok: true; posted: Omit<FileVersion, "time"> }
  | { ok: false; values: Record<string, string>; fault: string };

interface Upload {
  size: number;
  fileType: string;
  cut: boolean;
}

/** Reads the form to its end; its file is stored under the id of the new version, or not at all. */
export async function readUpdate(shop: Shop, request: FastifyRequest): Promise<Read> {
  const id = `update-${shop.newId()}`;
  const path = shop.pathOf(id);
  const values: Record<string, string> = {};
  let upload: Upload | null = null;
  try {
    if (!request.isMultipart())
      return { ok: false, values, fault: "The form came without a file." };
    for await (const part of request.parts({ limits: { fileSize: LIMITS.file, files: 1 } })) {
      if (part.type === "file") upload = await store(part, path);
      else if (typeof part.value === "string") values[part.fieldname] = part.value;
    }
    const texts = {
      version: cleanLine(values["version"] ?? ""),
      title: cleanLine(values["title"] ?? ""),
      description: cleanText(values["description"] ?? ""),
    };
    const branch = BRANCHES.find((one) => one === values["branch"]);
    const fault = faultIn(texts, branch, upload);
    if (fault !== null || branch === undefined || upload === null) {
      rmSync(path, { force: true });
      return { ok: false, values, fault: fault ?? "" };
    }
    const { size, fileType } = upload;
    return { ok: true, posted: { id, ...texts, size, fileType, branch } };
  } catch (error) {
    rmSync(path, { force: true });
    // Of Node and fastify errors have a code; what has none was found by the parser.
    if (error instanceof Error && "code" in error) throw error;
    return { ok: false, values, fault: "The form did not come whole. Send it again." };
  }
}

/** Null where no file was chosen: browsers send one without a name then. */
async function store(part: MultipartFile, path: string): Promise<Upload | null> {
  const file = createWriteStream(path);
  await pipeline(part.file, file);
  if (!part.filename) return null;
  return {
    size: file.bytesWritten,
    fileType: extensionOf(part.filename),
    cut: part.file.truncated,
  };
}

/** A file without an extension is "bin". */
function extensionOf(name: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return extension === "" || extension.length > LIMITS.fileType ? "bin" : extension;
}

function faultIn(
  texts: { version: string; title: string; description: string },
  branch: Branch | undefined,
  upload: Upload | null,
): string | null {
  if (texts.version === "") return "Give the version a name, such as 1.2.";
  if (texts.title === "") return "Give the update a title.";
  if (branch === undefined) return "Choose a branch.";
  if (upload === null) return "Choose a file.";
  if (upload.cut) return `The file is larger than ${LIMITS.file / 1024 / 1024} MiB.`;
  return tooLong(texts, LIMITS);
}
