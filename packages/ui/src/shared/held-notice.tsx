import { Notice } from "./notice.tsx";

/** For a copy of real data: said on every page, so that nobody waits for what does not go out. */
export function HeldNotice({ allowTargets }: { allowTargets: readonly string[] }) {
  const except = allowTargets.length === 0 ? "" : ` except to ${allowTargets.join(", ")}`;
  return (
    <Notice kind="warn">
      <strong>Sending is held.</strong> This is a copy to try things out: everything is accepted and
      shown, and nothing is sent{except}.
    </Notice>
  );
}
