import type { OperatorOverview } from "@markethook/client";
import { LIMITS } from "@markethook/protocol/limits";
import { Facts, Panel } from "../shared/panel.tsx";
import { duration } from "./format.ts";
import { words } from "../words/words.ts";
import { list } from "../words/numbers.ts";

export function ServiceFacts({ overview }: { overview: OperatorOverview }) {
  const targets = overview.allowTargets;
  return (
    <Panel title={words.operator.service}>
      <Facts
        items={[
          [words.operator.version, overview.version],
          [words.operator.runningFor, duration(overview.uptimeSeconds)],
          [words.operator.database, overview.storeKind === "sqlite" ? "SQLite" : "PostgreSQL"],
          [
            words.operator.allowed,
            targets.length === 0
              ? words.operator.none
              : targets.map((target) => <code key={target}>{target} </code>),
          ],
          overview.suspects.length === 0
            ? null
            : [words.operator.suspects, suspects(overview.suspects)],
          [words.operator.notices, noticePosting(overview.noticePosts)],
          [
            words.operator.masterKeys,
            overview.masterKeys.map(({ id, encrypts }) => (
              <div key={id}>
                <code>{id}</code>
                {encrypts ? ` ${words.operator.encrypts}` : ""}
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
  const { countOfLevel, countQuarantined } = words.operator;
  return list(
    counts.map(({ level, count }) =>
      level > LIMITS.suspectAloneFrom ? countQuarantined(count) : countOfLevel(count, level),
    ),
  );
}

function noticePosting(posts: OperatorOverview["noticePosts"]): string {
  if (posts === null) return words.operator.notPosted;
  const { host, unposted, oldestSeconds, failure } = posts;
  const waiting =
    unposted === 0
      ? words.operator.allTaken
      : words.operator.wait(unposted, duration(oldestSeconds));
  return words.operator.postedTo(host, waiting, failure);
}
