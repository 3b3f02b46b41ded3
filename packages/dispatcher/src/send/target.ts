import { bareHost, checkUrl, portOf, type UrlRules } from "../guard/url-rules.ts";

/** The destination of a URL's requests. */
export interface Target {
  /** Requests with the same origin share connections. */
  origin: string;
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  secure: boolean;
}

/** Returns the URL's target, or the sentence that refuses it. */
export function readTarget(text: string, rules: UrlRules): Target | string {
  const checked = checkUrl(text, rules);
  if ("fault" in checked) return `${checked.fault}: ${checked.sentence}`;
  const { url } = checked;
  return {
    origin: url.origin,
    host: bareHost(url),
    port: portOf(url),
    secure: url.protocol === "https:",
  };
}
