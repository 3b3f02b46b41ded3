import { ApiError } from "@markethook/client";
import { useCallback, useEffect, useState } from "react";
import { rememberReturn } from "./return-address.ts";
import type { Session } from "./session-context.ts";
import { createPageClient, takeCode } from "./session.ts";

export type PortalState =
  | { phase: "opening" }
  | { phase: "open"; session: Session }
  | { phase: "closed"; why: "no_code" | "code_used" | "ended" }
  | { phase: "failed"; error: Error };

// Outside the component: a code is good for one exchange, and React may run an effect twice.
const code = takeCode();
let exchange: Promise<{ token: string }> | null = null;

/** Exchanges the code of the address for a token that lives in this page's memory and nowhere else. */
export function usePortalSession(): { state: PortalState; retry: () => void } {
  const [state, setState] = useState<PortalState>(
    code === null ? { phase: "closed", why: "no_code" } : { phase: "opening" },
  );
  const [round, setRound] = useState(0);

  useEffect(() => {
    if (code === null) return;
    let gone = false;
    const end = (): void => {
      if (!gone) setState({ phase: "closed", why: "ended" });
    };
    exchange ??= createPageClient(null, () => {}).portalSessions.exchange(code);
    exchange
      .then(async ({ token }) => {
        const client = createPageClient(token, end);
        const info = await client.portalSessions.current();
        rememberReturn(info.returnUrl);
        if (!gone) setState({ phase: "open", session: { client, info } });
      })
      .catch((error: unknown) => {
        if (gone) return;
        if (error instanceof ApiError && error.status < 500) {
          setState({ phase: "closed", why: error.status === 401 ? "ended" : "code_used" });
        } else {
          exchange = null;
          setState({ phase: "failed", error: error as Error });
        }
      });
    return () => {
      gone = true;
    };
  }, [round]);

  const expiresAt = state.phase === "open" ? state.session.info.expiresAt : null;
  useEffect(() => {
    if (expiresAt === null) return;
    const timer = setTimeout(
      () => setState({ phase: "closed", why: "ended" }),
      Math.max(0, Date.parse(expiresAt) - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [expiresAt]);

  const retry = useCallback(() => {
    setState({ phase: "opening" });
    setRound((n) => n + 1);
  }, []);
  return { state, retry };
}
