import { readFileSync } from "node:fs";

export const SECRET = "an old secret, not base64!";

/** Three records each: a resource, its webhook, a first download. */
export function shops(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const resourceId = `${name}-${i}`;
    return [
      { kind: "resource", id: resourceId, title: `Castle ${i}`, ownerId: name },
      {
        kind: "webhook",
        resourceId,
        importId: "1",
        url: `http://127.0.0.1:9/${i}`,
        events: ["product.user.purchase"],
        secret: SECRET,
      },
      { kind: "firstDownload", resourceId, userId: i + 1 },
    ].map((record) => JSON.stringify(record));
  }).flat();
}

export function rejections(path: string): { line: number; code: string; pointer?: string }[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as { line: number; code: string });
}

/** A captured request. */
export function parseRequest(request: Buffer): { headers: Record<string, string>; body: Buffer } {
  const end = request.indexOf("\r\n\r\n");
  const [, ...lines] = request.subarray(0, end).toString().split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  return { headers, body: request.subarray(end + 4) };
}
