import { ApiError } from "@markethook/client";
import { draftsBelongTo } from "./drafts.ts";
import { forgetToken, keepSession, readSession } from "./kept-session.ts";
import { forgetLeaving } from "./entry.ts";
import { reloadForLinks, takeLink } from "./place.ts";
import { createPageClient, type Session } from "./session.ts";
import { tabStorage } from "./tab-storage.ts";

/**
 * A link whose code is being exchanged. It is kept in the tab until the answer has come. After a reload, or when the answer
 * was lost, the page repeats the exchange with the same nonce and gets the same session.
 */
interface LinkOpening {
  code: string;
  nonce: string;
}

const NAME = "opening";
const NONCE_BYTES = 24;

function beginOpening(code: string): LinkOpening {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const nonce = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  tabStorage.write(NAME, JSON.stringify({ code, nonce }));
  return { code, nonce };
}

/** The exchange that was begun before this page was loaded; null: none. */
function openingNow(): LinkOpening | null {
  const found = tabStorage.readJson(NAME) as Partial<LinkOpening> | null; // Checked below.
  const { code, nonce } = found ?? {};
  return typeof code === "string" && typeof nonce === "string" ? { code, nonce } : null;
}

function endOpening(): void {
  tabStorage.remove(NAME);
}

type OpenedSession = Omit<Session, "client" | "end"> & { token: string };

export type WhyClosed = "no_session" | "code_used" | "ended";

export type Opening = OpenedSession | { why: WhyClosed };

// Once, at the beginning: React may run an effect twice.
const opening = beginning();
reloadForLinks();

function beginning(): LinkOpening | null {
  const code = takeLink();
  if (code === null) return openingNow();
  // Back in the frame the same spent link can be shown again: it is this very session's.
  const kept = readSession();
  return kept?.token != null && kept.code === code ? null : beginOpening(code);
}

/** Opens the session of the link, or the one that this tab has kept. @throws when the service cannot be asked */
export async function openSession(): Promise<Opening> {
  try {
    const kept = readSession();
    if (opening !== null && (kept?.token == null || kept.code !== opening.code)) {
      // A link ends the tab's session, even if the link turns out to be too old.
      forgetToken();
      const { code, nonce } = opening;
      const opened = await createPageClient(null).portalSessions.exchange(code, { nonce });
      const { token, ownerId, resourceId, returnUrl } = opened;
      keepSession({ token, code, ownerId, resourceId, returnUrl });
      endOpening();
      const ownerChanged = kept !== null && kept.ownerId !== ownerId;
      return await look(token, ownerChanged);
    }
    if (kept?.token == null) return { why: "no_session" };
    // Anyone who reloads a page is using it.
    await createPageClient(kept.token)
      .portalSessions.renewCurrent()
      .catch(() => {});
    return await look(kept.token, false);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
    forgetToken();
    endOpening();
    return { why: error.status === 401 ? "no_session" : "code_used" };
  }
}

async function look(token: string, ownerChanged: boolean): Promise<OpenedSession> {
  const info = await createPageClient(token).portalSessions.current();
  draftsBelongTo(info.ownerId ?? "");
  forgetLeaving();
  return { token, info, ownerChanged };
}
