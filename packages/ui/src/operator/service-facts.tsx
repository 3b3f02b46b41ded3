import type { OperatorOverview } from "@markethook/client";
import { Facts } from "../shared/facts.tsx";
import { Panel } from "../shared/panel.tsx";
import { duration, wholeNumber } from "./format.ts";

const QUARANTINED_ABOVE = 10;

export function ServiceFacts({ overview }: { overview: OperatorOverview }) {
  const targets = overview.allowTargets;
  return (
    <Panel title="Service">
      <Facts
        items={[
          ["Version", overview.version],
          ["Running for", duration(overview.uptimeSeconds)],
          ["Database", overview.storeKind === "sqlite" ? "SQLite" : "PostgreSQL"],
          [
            "Allowed although not public",
            targets.length === 0
              ? "none"
              : targets.map((target) => <code key={target}>{target} </code>),
          ],
          overview.suspects.length === 0 ? null : ["Poison suspects", suspects(overview.suspects)],
          ["Notices", noticePosting(overview.noticePosts)],
          [
            "Master keys",
            overview.masterKeys.map(({ id, encrypts }) => (
              <div key={id}>
                <code>{id}</code>
                {encrypts ? " (encrypts new secrets)" : ""}
              </div>
            )),
          ],
        ]}
      />
    </Panel>
  );
}

/** "2,400 of level 1, 60 of level 2, 1 quarantined": which of them ends the process that sends it is being found. */
function suspects(counts: OperatorOverview["suspects"]): string {
  return counts
    .map(({ level, count }) =>
      level > QUARANTINED_ABOVE
        ? `${wholeNumber(count)} quarantined`
        : `${wholeNumber(count)} of level ${level}`,
    )
    .join(", ");
}

function noticePosting(posts: OperatorOverview["noticePosts"]): string {
  if (posts === null) return "not posted";
  const { host, unposted, oldestSeconds, failure } = posts;
  const waiting = unposted === 0 ? "all taken" : `${unposted} wait, for ${duration(oldestSeconds)}`;
  return `posted to ${host}: ${waiting}${failure === null ? "" : `; last try: ${failure}`}`;
}
