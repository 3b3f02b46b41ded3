import { Notice } from "./notice.tsx";
import { words } from "../words/first-words.ts";

/** For a copy of real data: said on every page, so that nobody waits for what does not go out. */
export function DryRunNotice({ allowTargets }: { allowTargets: readonly string[] }) {
  return <Notice kind="warn">{words.shared.dryRun(allowTargets)}</Notice>;
}
