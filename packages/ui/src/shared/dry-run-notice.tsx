import { Notice } from "./notice.tsx";

/** For a copy of real data: said on every page, so that nobody waits for what does not go out. */
export function DryRunNotice({ allowTargets }: { allowTargets: readonly string[] }) {
  const except = allowTargets.length === 0 ? "" : ` except to ${allowTargets.join(", ")}`;
  return (
    <Notice kind="warn">
      <strong>Dry run.</strong> This is a copy to try things out: everything is accepted and shown,
      and nothing is sent{except}.
    </Notice>
  );
}
