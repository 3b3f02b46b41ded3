import { type Cause, type CauseCode, SHOWN_CAUSES } from "./cause.ts";
import { SEARCHED_CAUSES } from "./searched-causes.ts";

const ALL: Readonly<Record<CauseCode, string>> = { ...SHOWN_CAUSES, ...SEARCHED_CAUSES };

/** All codes, for documentation and its tests. */
export const CAUSE_CODES: readonly string[] = Object.keys(ALL);

/** `detail` names what exactly was found; it holds neither secrets nor payload. */
export function anyCause(code: CauseCode, detail?: string): Cause {
  return { code, sentence: detail === undefined ? ALL[code] : `${ALL[code]} ${detail}` };
}
