/** Where the service is, seen from this page; it may stand under a path prefix. */
export function serviceRoot(): string {
  return new URL("..", globalThis.location.href.split("#")[0]).pathname.replace(/\/$/, "");
}
