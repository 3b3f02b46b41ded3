import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * Operations with long, repetitive lists. Only these are compressed: the length of a compressed answer reveals
 * something of its content. So an answer with a secret, a key, a token or a signature next to another person's text
 * must stay as it is (BREACH).
 */
const COMPRESSED: ReadonlySet<string> = new Set([
  "/v1/deliveries",
  "/v1/webhooks/:id/deliveries",
  "/v1/events",
  "/v1/resources",
  "/v1/webhooks",
  "/v1/notices",
  "/v1/operator",
  "/v1/openapi.json",
]);

/** A shorter answer fits into one packet anyway. */
const SMALLEST_BYTES = 1400;
const METHODS = {
  // Quality 4 takes about as long as gzip's default, and the result is smaller.
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
} as const;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
type Encoding = keyof typeof METHODS | "identity";
/** The same text for everybody, also without a key: its bytes are made once. */
const DOCUMENT = "/v1/openapi.json";

/** Compresses long answers of these routes, in threads of Node's pool, for clients that accept it. */
export function useCompression(app: FastifyInstance): void {
  const documents = new Map<string, Partial<Record<Encoding, Promise<Buffer>>>>();
  app.addHook("onSend", async (request, reply, payload) => {
    if (request.method !== "GET" || !COMPRESSED.has(request.routeOptions.url ?? "")) return payload;
    reply.header("vary", "accept-encoding");
    if (typeof payload !== "string" || payload.length < SMALLEST_BYTES) return payload;
    if (reply.statusCode !== 200 || reply.hasHeader("content-encoding")) return payload;
    const encoding = chosenEncoding(request.headers["accept-encoding"]) ?? "identity";
    const isDocument = request.routeOptions.url === DOCUMENT;
    if (encoding === "identity" && !isDocument) return payload;
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    reply.removeHeader("content-length");
    if (!isDocument) return await encoded(payload, encoding);
    const known = documents.get(payload) ?? {};
    documents.set(payload, known);
    return await (known[encoding] ??= encoded(payload, encoding));
  });
}

async function encoded(text: string, encoding: Encoding): Promise<Buffer> {
  if (encoding === "identity") return Buffer.from(text);
  return await (encoding === "br" ? METHODS.br(text, BROTLI) : METHODS.gzip(text));
}

/** Returns the best encoding that an `Accept-Encoding` names; null: none. */
export function chosenEncoding(header: string | string[] | undefined): "br" | "gzip" | null {
  if (header === undefined) return null;
  const taken = new Set<string>();
  for (const part of String(header).toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const refused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (!refused) taken.add(name);
  }
  return taken.has("br") ? "br" : taken.has("gzip") ? "gzip" : null;
}

/** Programs that write an answer to a terminal without changes. */
const TO_TERMINAL = /^(?:curl|Wget)\//;

/**
 * Returns the payload, with a line break after JSON for programs whose users would find their prompt behind the last
 * brace. Other programs get the same bytes as before, for the price of one look at a header.
 */
export function forTerminal(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): unknown {
  const agent = request.headers["user-agent"];
  if (agent === undefined || !TO_TERMINAL.test(agent)) return payload;
  const type = reply.getHeader("content-type");
  const isJson = typeof type === "string" && /^application\/(?:[a-z]+\+)?json\b/.test(type);
  return isJson && typeof payload === "string" && payload !== "" ? `${payload}\n` : payload;
}

const YEAR_SECONDS = 31_536_000;

/** If browsers reach this service by https, its answers tell them never to use http. */
export function useTransportSecurity(app: FastifyInstance, publicUrl: () => string): void {
  // Read at the first answer: it may be the listening address, which is not known before.
  let secure: boolean | null = null;
  app.addHook("onSend", (_request, reply, _payload, done) => {
    secure ??= publicUrl().startsWith("https:");
    if (secure) reply.header("strict-transport-security", `max-age=${YEAR_SECONDS}`);
    done();
  });
}
