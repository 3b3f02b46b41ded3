import { type Client, createClient, type CurrentSession } from "@markethook/client";
import { createContext, useContext } from "react";
import { learnServiceTime } from "../shared/times.ts";
import { serviceRoot } from "./page-location.ts";

export interface PageClientOptions {
  /** The service no longer accepts the token. */
  onRefused?: () => void;
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
      if (!Number.isNaN(at)) learnServiceTime(at);
      return response;
    },
  });
}

export interface Session {
  client: Client;
  info: CurrentSession;
  /** The tab was another owner's before. */
  ownerChanged: boolean;
  /** Call it when the session has expired. */
  end: () => void;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("There is no session around this component.");
  return session;
}
