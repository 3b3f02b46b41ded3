import type { Client, CurrentSession } from "@markethook/client";
import { createContext, useContext } from "react";

export interface Session {
  client: Client;
  info: CurrentSession;
  /** How far this machine's clock is ahead of the service's. */
  clockAheadMs: number;
  /** The tab was another owner's before. */
  ownerChanged: boolean;
  /** To be called when its time is over. */
  end: () => void;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("There is no session around this component.");
  return session;
}
