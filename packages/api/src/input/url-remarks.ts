import { isIP } from "node:net";

/** Remarks for an owner about an allowed address. Pages in other languages have their own words for a code. */
const SENTENCES = {
  not_encrypted: "Requests are not encrypted on their way: https is better.",
  address_is_number:
    "The address is written as a number: if the server moves, the webhook must be changed.",
  same_address:
    "Another webhook of this resource has the same address: events that both have chosen arrive there twice.",
} as const;

export interface UrlRemark {
  code: keyof typeof SENTENCES;
  sentence: string;
}

export function urlRemark(code: UrlRemark["code"]): UrlRemark {
  return { code, sentence: SENTENCES[code] };
}

/** Remarks that depend on the URL alone; none on a text that is no URL, which `checkTarget` refuses. */
export function remarksOnUrl(url: string): UrlRemark[] {
  const parsed = URL.parse(url);
  if (parsed === null) return [];
  const { protocol, hostname } = parsed;
  const remarks: UrlRemark[] = [];
  if (protocol === "http:") remarks.push(urlRemark("not_encrypted"));
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) remarks.push(urlRemark("address_is_number"));
  return remarks;
}
