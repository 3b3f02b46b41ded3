import type { Client, CurrentSession } from "@markethook/client";
import { createContext, useContext } from "react";

export interface Session {
  client: Client;
  info: CurrentSession;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("There is no session around this component.");
  return session;
}
