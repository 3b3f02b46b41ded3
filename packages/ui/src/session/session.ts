import { type Client, createClient } from "@markethook/client";

/** Where the service is, seen from this page; it may stand under a path prefix. */
function serviceRoot(): string {
  return new URL("..", globalThis.location.href.split("#")[0]).pathname.replace(/\/$/, "");
}

/** A client that tells when the service no longer accepts its token. */
export function createPageClient(token: string | null, onRefused: () => void): Client {
  return createClient({
    baseUrl: serviceRoot(),
    apiKey: token,
    retries: 2,
    fetch: async (request, init) => {
      const response = await fetch(request, init);
      if (response.status === 401) onRefused();
      return response;
    },
  });
}

/** Takes the code out of the address bar, where it must not stay, and leaves nothing in the history. */
export function takeCode(): string | null {
  const code = new URLSearchParams(globalThis.location.hash.slice(1)).get("code");
  if (code !== null) globalThis.history.replaceState(null, "", "#/");
  return code;
}
