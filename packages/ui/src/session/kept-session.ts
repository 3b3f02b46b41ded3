import { tabStorage } from "./tab-storage.ts";

/** The facts about a session that its tab keeps over a reload, and after the session's end. */
export interface KeptSession {
  /** Null: it has ended. */
  token: string | null;
  /** The code of the link that opened it. It is used up, and only tells whether a link is the same one. */
  code: string;
  ownerId: string;
  resourceId: string | null;
  returnUrl: string | null;
}

const NAME = "session";
const TOKEN = /^mhs_[0-9A-Za-z]+$/;

export function readSession(): KeptSession | null {
  const found = tabStorage.readJson(NAME) as Partial<KeptSession> | null; // Checked below.
  if (typeof found?.ownerId !== "string" || typeof found.code !== "string") return null;
  const { code, ownerId, token, resourceId, returnUrl } = found;
  return {
    code,
    ownerId,
    token: typeof token === "string" && TOKEN.test(token) ? token : null,
    resourceId: typeof resourceId === "string" ? resourceId : null,
    returnUrl: typeof returnUrl === "string" ? returnUrl : null,
  };
}

export function keepSession(session: KeptSession): void {
  tabStorage.write(NAME, JSON.stringify(session));
}

/** The way back and whose it was are kept. */
export function forgetToken(): void {
  const session = readSession();
  if (session !== null) keepSession({ ...session, token: null });
}
