/** Null: no http or https URL, or one with a user name or a password in it. */
export function webUrl(value: unknown): URL | null {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username === "" && url.password === "" ? url : null;
}

/** An address as it was pasted; `noScheme`: how one of the platform begins without `https://`. Null: none of a platform. */
export function pastedUrl(text: string, noScheme: RegExp): URL | null {
  const trimmed = text.trim();
  const url = webUrl(noScheme.test(trimmed) ? `https://${trimmed}` : trimmed);
  return url?.port === "" ? url : null;
}
