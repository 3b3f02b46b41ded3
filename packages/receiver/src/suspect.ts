import type { HeaderNames } from "@markethook/protocol/header-names";

import type { HeaderReader } from "./headers.ts";

/** A request whose signature does not fit. */
export interface Suspect {
  body: Uint8Array<ArrayBuffer>;
  headers: HeaderReader;
  names: HeaderNames;
  secrets: readonly string[];
}
