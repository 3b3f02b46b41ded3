import { RenderedRequest } from "./request.ts";

/** A request that is not of the specification's form: what chat platforms take, and the marketplace as notices. */
export function plainRequest(request: {
  method: "POST" | "PATCH";
  url: string;
  /** Without Host and Content-Length. */
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
}): RenderedRequest {
  const { method, url, body } = request;
  const { host, pathname, search } = new URL(url);
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Accept-Encoding: identity",
    "Connection: keep-alive",
  ];
  const head = `${lines.join("\r\n")}\r\n\r\n`;
  // A line break in a header would be a header of somebody else's.
  if (head.split("\r\n").length !== lines.length + 2)
    throw new RangeError("a header is not one line");
  return new RenderedRequest(url, head, body, method);
}
