import type { FuzzRequest } from "./make-request.ts";

/** A command that sends it again. */
export function describeRequest(address: string, request: FuzzRequest, raw: Buffer | null): string {
  if (raw !== null) {
    const { hostname, port } = new URL(address);
    return `echo ${raw.toString("base64")} | base64 -d | nc -N ${hostname} ${port}`;
  }
  const { method, target, headers, body } = request;
  const parts = ["curl", "-si", "--path-as-is", "--globoff", "-X", method];
  for (const [name, value] of headers) parts.push("-H", quoted(`${name}: ${value}`));
  if (body === null) return [...parts, quoted(address + target)].join(" ");
  const send = [...parts, "--data-binary", "@-", quoted(address + target)].join(" ");
  return `echo ${body.toString("base64")} | base64 -d | ${send}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
