import { STANDARD_HEADERS } from "@markethook/protocol/header-names";

import { fromBase64, hex } from "./bytes.ts";
import type { HeaderReader } from "./headers.ts";

/** A signature in any form and header. */
export interface FoundSignature {
  /** Lower case. */
  header: string;
  form: "hex" | "upper_case" | "prefixed" | "base64" | "v1";
  /** 64 lower-case hexadecimal digits. */
  digest: string;
}

/** Forgers choose how many there are; the search's cost must stay bounded. */
const MOST = 16;

/** Everything that could be one, in headers that carry signatures here or at a service of another name. */
export function findSignatures(headers: HeaderReader): FoundSignature[] {
  const found: FoundSignature[] = [];
  for (const header of headers.names()) {
    if (header !== STANDARD_HEADERS.signature && !isPlainHeader(header)) continue;
    for (const value of headers.all(header)) {
      for (const part of value.split(" ")) {
        const signature = read(part);
        if (signature) found.push({ header, ...signature });
        if (found.length === MOST) return found;
      }
    }
  }
  return found;
}

function isPlainHeader(header: string): boolean {
  return header.length < 100 && /^x-.+-signature(-next)?$/.test(header);
}

function read(part: string): Omit<FoundSignature, "header"> | null {
  if (/^[0-9a-f]{64}$/.test(part)) return { form: "hex", digest: part };
  if (/^[0-9a-fA-F]{64}$/.test(part)) {
    return { form: "upper_case", digest: part.toLowerCase() };
  }
  const prefixed = /^[a-zA-Z0-9-]{1,20}[=:,]([0-9a-fA-F]{64})$/.exec(part)?.[1];
  if (prefixed !== undefined) return { form: "prefixed", digest: prefixed.toLowerCase() };
  const base64 = /^(v1,)?([A-Za-z0-9+/]{43}=)$/.exec(part);
  if (base64?.[2] === undefined) return null;
  const form = base64[1] === undefined ? "base64" : "v1";
  return { form, digest: hex(fromBase64(base64[2])) };
}
