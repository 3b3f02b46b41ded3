import { given, LIMITS, MarkethookError } from "@markethook/protocol";
import { findJsonFault } from "@markethook/protocol/find-json-fault";
import {
  BATCH_JSON_LIMITS,
  createJsonScanner,
  JSON_LIMITS,
  type JsonLimits,
} from "@markethook/protocol/scan-json";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { BodyBudget } from "./body-budget.ts";
import { collectBody } from "./collect-body.ts";
import { findTextFault } from "./text-fault.ts";

/** Fails on bytes that are not UTF-8. It keeps a BOM, which JSON.parse then refuses. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const scanBody = createJsonScanner(JSON_LIMITS);
const scanBatch = createJsonScanner(BATCH_JSON_LIMITS);

/** Makes our JSON parser the only one for bodies. */
export function useJsonBodies(app: FastifyInstance, budget: BodyBudget): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", (request: FastifyRequest, payload, done) => {
    if (request.is404) return done(null, undefined);
    const { actor, headers, routeOptions } = request;
    const length = headers["content-length"];
    const collected = {
      budget,
      sender: { isKey: actor?.kind === "key", id: actor?.ownerId ?? actor?.id ?? null },
      limit: routeOptions.bodyLimit,
      length: length === undefined ? null : Number(length),
    };
    collectBody(payload, collected, (fault, bytes) => {
      if (fault !== null) return done(fault);
      let value: unknown;
      try {
        value = readJson(request, bytes);
      } catch (error) {
        return done(error instanceof Error ? error : new MarkethookError("json_invalid"));
      }
      return done(null, value);
    });
  });
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

  const text = decode(bytes);
  const isBatch = request.routeOptions.bodyLimit === LIMITS.batchBytes;
  const { suspicious, escapes } = (isBatch ? scanBatch : scanBody)(bytes, text);
  const limits = isBatch ? BATCH_JSON_LIMITS : JSON_LIMITS;
  if (suspicious) throwJsonFault(text, limits);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's own message repeats input, and does not always have a position.
    throwJsonFault(text, limits);
    throw new MarkethookError("json_invalid");
  }
  if (!escapes) return value;
  // In a batch a bad text must reject only its own item, not the other 999.
  if (request.routeOptions.config.textPerItem === true) {
    request.textSuspicious = true;
    return value;
  }
  const fault = findTextFault(value);
  if (fault !== null) {
    throw new MarkethookError(fault.code, { detail: fault.detail, pointer: fault.pointer });
  }
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new MarkethookError("json_invalid", {
      detail: `The body is not UTF-8, at byte ${soundLength(bytes)}.`,
    });
  }
}

/** Returns the number of bytes before the first that is not UTF-8. */
function soundLength(bytes: Buffer): number {
  let sound = 0;
  let faulty = bytes.length;
  while (faulty - sound > 1) {
    const middle = (sound + faulty) >> 1;
    // A character that is cut here is no fault yet.
    if (isUtf8Start(bytes.subarray(0, middle))) sound = middle;
    else faulty = middle;
  }
  return sound;
}

function isUtf8Start(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Returns if only the quick scan found a fault. */
function throwJsonFault(text: string, limits: JsonLimits): void {
  const fault = findJsonFault(text, limits);
  if (fault === null) return;
  const { code, detail, pointer } = fault;
  throw new MarkethookError(code, given({ detail, pointer }));
}
