import { useCallback, useEffect, useState } from "react";
import { findEntry, leaveFor } from "./entry.ts";
import { forgetToken } from "./kept-session.ts";
import { type Opening, openSession, type WhyClosed } from "./open-session.ts";
import { placeNow } from "./place.ts";
import { createPageClient, type Session } from "./session.ts";

export type PortalState =
  | { phase: "opening" }
  | { phase: "open"; session: Session }
  | { phase: "closed"; why: WhyClosed }
  | { phase: "failed"; error: Error };

let opening: Promise<Opening> | null = null;

/** The session of this tab: from its link, kept over a reload, or fetched from the marketplace. */
export function usePortalSession(): { state: PortalState; retry: () => void } {
  const [state, setState] = useState<PortalState>({ phase: "opening" });
  const [round, setRound] = useState(0);

  useEffect(() => {
    let gone = false;
    const end = (): void => {
      if (gone) return;
      forgetToken();
      setState({ phase: "closed", why: "ended" });
    };
    opening ??= openSession();
    opening
      .then(async (opened) => {
        if ("why" in opened) {
          // A tab that has lost nothing yet goes for a session by itself.
          const entry = opened.why === "no_session" ? await findEntry(placeNow()) : null;
          if (gone || (entry !== null && leaveFor(entry))) return;
          setState({ phase: "closed", why: opened.why });
          return;
        }
        if (gone) return;
        const { token, ...session } = opened;
        const client = createPageClient(token, { onRefused: end });
        setState({ phase: "open", session: { client, end, ...session } });
      })
      .catch((error: unknown) => {
        opening = null;
        // Nothing else is thrown here.
        if (!gone) setState({ phase: "failed", error: error as Error });
      });
    return () => {
      gone = true;
    };
  }, [round]);

  const retry = useCallback(() => {
    setState({ phase: "opening" });
    setRound((n) => n + 1);
  }, []);
  return { state, retry };
}
