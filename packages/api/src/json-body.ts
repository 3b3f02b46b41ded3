import { MarkethookError } from "@markethook/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { findTextFault, throwTextFault } from "./text-fault.ts";

/** Fails on bytes that are not UTF-8, and keeps a BOM, which JSON.parse then refuses. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Only these can bring U+0000, half a surrogate pair or a prototype's name into parsed JSON. */
const SUSPICIOUS = /\\u|"__proto__"|"constructor"/;

/** Makes our reading of JSON the only reading of a body. */
export function useJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    (request: FastifyRequest, body: Buffer, done) => {
      if (request.is404) return done(null, undefined);
      try {
        done(null, readJson(request, body));
      } catch (error) {
        done(error instanceof Error ? error : new MarkethookError("json_invalid"));
      }
    },
  );
}

function readJson(request: FastifyRequest, bytes: Buffer): unknown {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") {
    throw new MarkethookError("encoding_unsupported");
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(request.headers["content-type"] ?? "");
  if (charset?.[1] !== undefined && charset[1].toLowerCase() !== "utf-8") {
    throw new MarkethookError("content_type_unsupported", { detail: "JSON is always UTF-8." });
  }
  if (bytes.length === 0) return undefined;

  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new MarkethookError("json_invalid", { detail: "The body is not UTF-8." });
  }
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MarkethookError("json_invalid", {
      detail: parsePosition(error),
      cause: error,
    });
  }
  if (!SUSPICIOUS.test(text)) return value;
  // In a batch one bad text must reject its own item, not the other 999.
  if (request.routeOptions.config.textPerItem === true) {
    request.textSuspicious = true;
    return value;
  }
  const fault = findTextFault(value);
  if (fault !== null) throwTextFault(fault);
  return value;
}

/** The engine's message repeats input; only the position is taken from it. */
function parsePosition(error: unknown): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined
    ? "The JSON ends too early or is malformed."
    : `The JSON is malformed at position ${position}.`;
}
