import { type Client, createClient } from "@markethook/client";
import { serviceRoot } from "./service-root.ts";

export interface PageClientOptions {
  /** The service no longer accepts the token. */
  onRefused?: () => void;
  /** The time of each answer, by the service's clock. */
  onTime?: (serviceNow: number) => void;
}

/** A client for this page's own service. */
export function createPageClient(token: string | null, options: PageClientOptions = {}): Client {
  return createClient({
    baseUrl: serviceRoot(),
    apiKey: token,
    retries: 2,
    fetch: async (request, init) => {
      const response = await fetch(request, init);
      if (response.status === 401) options.onRefused?.();
      const at = Date.parse(response.headers.get("date") ?? "");
      if (!Number.isNaN(at)) options.onTime?.(at);
      return response;
    },
  });
}
