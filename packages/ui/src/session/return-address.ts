import { safeUrl } from "./safe-url.ts";

const KEY = "markethook.returnUrl";

/** Where the owner came from; kept over a reload, which ends the session but not the way back. */
export function rememberReturn(url: string | null): void {
  try {
    if (url === null) globalThis.sessionStorage.removeItem(KEY);
    else globalThis.sessionStorage.setItem(KEY, url);
  } catch {
    // A frame may have no storage; then there is no way back, which the page can do without.
  }
}

export function recallReturn(): string | null {
  try {
    return safeUrl(globalThis.sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}
