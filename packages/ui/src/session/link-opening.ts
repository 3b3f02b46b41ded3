import { tabStorage } from "./tab-storage.ts";

/**
 * A link whose code is being exchanged. It is kept in the tab until the answer has come. After a reload, or when the answer
 * was lost, the page repeats the exchange with the same nonce and gets the same session.
 */
export interface LinkOpening {
  code: string;
  nonce: string;
}

const NAME = "opening";
const NONCE_BYTES = 24;

export function beginOpening(code: string): LinkOpening {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const nonce = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  tabStorage.write(NAME, JSON.stringify({ code, nonce }));
  return { code, nonce };
}

/** What was begun before this page was loaded; null: nothing. */
export function openingNow(): LinkOpening | null {
  const found = tabStorage.readJson(NAME) as Partial<LinkOpening> | null; // Checked below.
  const { code, nonce } = found ?? {};
  return typeof code === "string" && typeof nonce === "string" ? { code, nonce } : null;
}

export function endOpening(): void {
  tabStorage.remove(NAME);
}
