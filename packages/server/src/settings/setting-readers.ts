import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { isApiKeyForm } from "@markethook/api";
import { chatFormats, type ChatOrigins } from "@markethook/chat";
import { isServiceName, parseDuration, standardKey } from "@markethook/protocol";
import type { EgressProxy } from "@markethook/dispatcher";
import { serverUrls } from "@markethook/store";
import { kind, type Reader } from "./setting.ts";

/** Readers of settings' texts. Each throws a RangeError with a sentence. */

export function text(value: string): string {
  if (value.trim() === "") throw new RangeError("It is empty.");
  return value;
}

export function whole(least: number, most: number, unit = "number"): Reader<number> {
  return kind(`${unit}, ${least} to ${most}`, (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new RangeError(`"${value}" is not a whole number from ${least} to ${most}.`);
    }
    return number;
  });
}

/** Longest time that a process itself waits through. Timers that are longer than 24 days end at once. */
export const LONGEST_TIMER = "1d";

export function duration(least: string, most = "365d"): Reader<number> {
  const [leastMs, mostMs] = [parseDuration(least), parseDuration(most)];
  return kind(`duration, ${least} to ${most}`, (value) => {
    const ms = parseDuration(value);
    if (ms < leastMs) throw new RangeError(`"${value}" is shorter than ${least}.`);
    if (ms > mostMs) throw new RangeError(`"${value}" is longer than ${most}.`);
    return ms;
  });
}

/** An address to which paths are added. It stands in events and in the User-Agent, so it is written in one way. */
export function ownUrl(value: string): string {
  const parsed = httpUrl(value);
  if (parsed.username !== "" || parsed.password !== "" || /[?#]/.test(value)) {
    throw new RangeError(
      "It is not an address such as https://market.example, without a name, a password, a query and a fragment.",
    );
  }
  return parsed.href.replace(/\/+$/, "");
}

function httpUrl(value: string): URL {
  const parsed = URL.parse(value);
  if (parsed === null || !["http:", "https:"].includes(parsed.protocol))
    throw new RangeError("It is not a URL that starts with http:// or https://.");
  return parsed;
}

/** One server, or several of one cluster. */
export function postgresUrl(value: string): string {
  const url = value.replace(/\/+$/, "");
  serverUrls(url);
  return url;
}

/** Without parts that could lead elsewhere, or would be lost. */
export function entryUrl(value: string): string {
  const parsed = URL.parse(value);
  if (
    parsed === null ||
    !["http:", "https:"].includes(parsed.protocol) ||
    parsed.username !== "" ||
    parsed.password !== "" ||
    parsed.hash !== ""
  ) {
    throw new RangeError(
      "It is not an address such as https://market.example/webhooks, without a fragment.",
    );
  }
  return parsed.href;
}

export function egressProxy(value: string): EgressProxy {
  const parsed = URL.parse(value);
  const { protocol, hostname, port, username, password, pathname, search, hash } =
    parsed ?? new URL("none:");
  if (protocol !== "http:" || pathname !== "/" || search !== "" || hash !== "") {
    throw new RangeError("It is not a proxy such as http://proxy.market.example:3128.");
  }
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? 80 : Number(port),
    authorization:
      credentials === ":" ? null : `Basic ${Buffer.from(credentials).toString("base64")}`,
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new RangeError("In its name and password, % is %25.");
  }
}

/** As written: a slash at its end may matter to the server there. */
export function postedTo(value: string): string {
  const { username, password, hash } = httpUrl(value);
  if (username !== "" || password !== "")
    throw new RangeError("A name and password in it would not be sent.");
  if (hash !== "") throw new RangeError("A fragment in it would not be sent.");
  return value;
}

/** In OpenSSL's form. */
export function tlsCurves(value: string): string {
  try {
    createSecureContext({ ecdhCurve: value });
  } catch {
    throw new RangeError(
      `"${value}" is not a list of curves that OpenSSL knows, with colons between, such as X25519:P-256.`,
    );
  }
  return value;
}

/** The parts between commas, without spaces around them. */
function partsOf(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** In a browser's form; any other would allow nothing, or something else than meant. */
export function origins(value: string): readonly string[] {
  return partsOf(value).map(origin);
}

/** `name=origin` for each platform, with commas. */
export function chatOrigins(value: string): ChatOrigins {
  const names = chatFormats.map(({ name }) => name);
  return Object.fromEntries(
    partsOf(value).map((part) => {
      const [name = "", ...rest] = part.split("=");
      if (!names.includes(name)) {
        throw new RangeError(`"${part}" names no chat platform. There are: ${names.join(", ")}.`);
      }
      if (rest.length === 0) throw new RangeError(`"${part}" is not ${name}=https://….`);
      return [name, origin(rest.join("="))];
    }),
  );
}

function origin(value: string): string {
  // It may become part of a policy, so it must not contain characters with a meaning there.
  const isPlain = /^https?:\/\/[a-z0-9.:[\]-]+$/.test(value);
  if (isPlain && URL.canParse(value) && new URL(value).origin === value) return value;
  // Also refused are capitals, and the port that the scheme has anyway.
  const meant = URL.parse(value)?.origin ?? "null";
  throw new RangeError(
    `"${value}" is not an origin: scheme, host and port, without a path or a slash at the end.${meant === "null" ? "" : ` Is ${meant} meant?`}`,
  );
}

export function serviceName(value: string): string {
  if (!isServiceName(value))
    throw new RangeError(`"${value}" is not letters and digits, in parts with single hyphens.`);
  return value;
}

export function apiKey(value: string): string {
  if (!isApiKeyForm(value))
    throw new RangeError("It is not an API key; make one with `markethook make-key`.");
  return value;
}

export function flag(value: string): boolean {
  if (value !== "true" && value !== "false")
    throw new RangeError(`"${value}" is neither true nor false.`);
  return value === "true";
}

export function signingSecret(value: string): string {
  const key = standardKey(value);
  if (key === null || key.length < 24 || value.length > 255)
    throw new RangeError(
      "It is not base64 of 24 bytes or more; make one with `openssl rand -base64 36`.",
    );
  return value;
}

export function trustProxy(value: string): false | string {
  if (value === "false") return false;
  const parts = value.split(",").map((part) => part.trim());
  if (value === "true" || parts.some((part) => /^[\d.:]+\/0+$/.test(part))) {
    throw new RangeError(
      "Name the proxies' addresses: believing everybody lets clients forge theirs.",
    );
  }
  for (const part of parts) {
    if (!isAddressOrBlock(part)) {
      throw new RangeError(
        `"${part}" is neither an address nor a CIDR such as 10.0.0.0/24; several have commas between them.`,
      );
    }
  }
  return value;
}

function isAddressOrBlock(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const kind = isIP(address);
  if (kind === 0 || rest.length > 0) return false;
  const most = kind === 4 ? 32 : 128;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most)
  );
}

/** An address or a name. Names of an inner network may have underscores. */
export function listenHost(value: string): string {
  const isName = /^(?!-)[\w-]+(\.[\w-]+)*$/.test(value) && value.length <= 253;
  if (isIP(value) === 0 && !isName) {
    throw new RangeError(
      `"${value}" is neither an address nor a host name. IPv6 addresses have no brackets here.`,
    );
  }
  return value;
}

export function ports(value: string): ReadonlySet<number> {
  return new Set(partsOf(value).map((part) => whole(1, 65_535)(part)));
}

export function masterKeys(value: string): Buffer[] {
  const keys = value
    .split(/[\s,]+/)
    .filter((part) => part !== "")
    .map(masterKey);
  if (keys.length === 0 || !keys.every((key) => key !== null))
    throw new RangeError("A key is base64 of 32 bytes; make one with `openssl rand -base64 32`.");
  return keys;
}

/** 32 bytes in either alphabet of base64, with nothing around them; null for anything else. */
export function masterKey(text: string): Buffer | null {
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, "base64") : null;
}

export function oneOf(words: readonly string[]): (value: string) => string {
  return (value) => {
    if (!words.includes(value)) throw new RangeError(`"${value}" is none of ${words.join(", ")}.`);
    return value;
  };
}

export function contact(value: string): string {
  const isMail = /^mailto:[^\s@]+@[^\s@]+$/.test(value);
  if (!isMail && !(/^https:\/\/\S+$/.test(value) && URL.canParse(value)))
    throw new RangeError("It is neither `mailto:` with an address nor an `https:` URL.");
  return value;
}
