import { bareHost, checkUrl, portOf, type UrlRules } from "../guard/url-rules.ts";

/** Where a URL's requests go. */
export interface Target {
  /** Connections are shared by what has the same one. */
  origin: string;
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  secure: boolean;
}

/** The URL's target, or the sentence that refuses it. */
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
