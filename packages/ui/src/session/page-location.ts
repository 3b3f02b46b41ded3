/** Where the service is, seen from this page; it may stand under a path prefix. */
export function serviceRoot(): string {
  return new URL("..", globalThis.location.href.split("#")[0]).pathname.replace(/\/$/, "");
}

/** Whether the page stands in a frame of the marketplace's page. */
export function isFramed(): boolean {
  return globalThis.top !== globalThis.self;
}

/** An address that a link may lead to, or null: never a script. */
export function safeUrl(text: string | null): string | null {
  if (text === null) return null;
  try {
    const url = new URL(text);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}

/** @throws if the service does not answer, or a proxy in front of it answers that it is away */
export async function askService(): Promise<void> {
  const { ok, status } = await fetch(location.pathname, { method: "HEAD" });
  if (!ok) throw new Error(`The page was answered with ${status}.`);
}

/**
 * Loads the page again, if the service answers: after an upgrade only a new page has the names of its parts.
 *
 * @throws if it does not; the page stays.
 */
export async function loadAgain(): Promise<void> {
  await askService();
  location.reload();
}
