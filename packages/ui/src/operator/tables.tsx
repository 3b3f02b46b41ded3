import type { OperatorOverview } from "@markethook/client";
import { StateLabel, UserText, When } from "../shared/inline-text.tsx";
import { Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { Table, type TableProps } from "../shared/table.tsx";
import { whole } from "../words/numbers.ts";
import { words } from "../words/words.ts";

/** Attempts, failing and disabled webhooks, instances, notices, changes and settings, a table each. */
export function Tables({ overview }: { overview: OperatorOverview }) {
  const { active, paused, disabled } = overview.webhooks;
  return (
    <>
      {/* Failures stand first: they are what somebody looks for. */}
      <DataTable
        title={words.operator.attemptsTitle}
        about={words.operator.attemptsText}
        none={words.operator.noAttempt}
        rows={overview.attempts.toSorted(
          (a, b) => Number(a.outcome === "ok") - Number(b.outcome === "ok") || b.count - a.count,
        )}
        keyOf={({ host, outcome }) => `${host} ${outcome}`}
        columns={[
          [words.operator.host, ({ host }) => <UserText>{host}</UserText>],
          [
            words.operator.outcome,
            ({ outcome }) => (
              <StateLabel tone={outcome === "ok" ? "good" : "bad"}>
                {outcome === "ok" ? words.webhooks.accepted : outcome}
              </StateLabel>
            ),
          ],
          [words.deliveries.attempts, ({ count }) => whole(count)],
        ]}
      />
      {/* Whose servers are failing, and how. */}
      <DataTable
        title={words.operator.failingTitle}
        about={words.operator.failingText}
        none={words.operator.noneFailing}
        rows={overview.failingList}
        keyOf={({ id }) => id}
        columns={[
          // First what a phone shows without scrolling.
          [words.operator.owner, ({ ownerId }) => <UserText>{ownerId}</UserText>],
          [
            words.operator.outcome,
            ({ lastOutcome, lastStatus }) =>
              // Only a ping can be accepted while a webhook is failing.
              lastOutcome === "ok" ? (
                words.ping.accepted(lastStatus)
              ) : (
                <code>{[lastOutcome, lastStatus].filter((part) => part !== null).join(" ")}</code>
              ),
          ],
          [words.operator.host, ({ host }) => <UserText>{host}</UserText>],
          [
            words.operator.since,
            ({ failingSince }) => (failingSince === null ? "" : <When at={failingSince} />),
          ],
          [words.deliveries.webhook, ({ id }) => <code>{id}</code>],
        ]}
      />
      <DataTable
        title={words.operator.disabledTitle}
        about={words.operator.disabledText(active, paused, disabled)}
        none={words.operator.noneDisabled}
        rows={overview.disabledList}
        keyOf={({ id }) => id}
        columns={[
          [words.operator.host, ({ host }) => <UserText>{host}</UserText>],
          [words.operator.reason, ({ reason }) => <code>{reason ?? ""}</code>],
          [words.operator.owner, ({ ownerId }) => <UserText>{ownerId}</UserText>],
          [words.webhooks.resource, ({ resourceId }) => <UserText>{resourceId}</UserText>],
          [words.operator.changed, ({ updatedAt }) => <When at={updatedAt} />],
        ]}
      />
      <DataTable
        title={words.operator.instances}
        none={words.operator.noInstance}
        rows={overview.instances}
        keyOf={({ name, startedAt }) => `${name} ${startedAt}`}
        columns={[
          [words.operator.name, ({ name }) => name],
          [words.operator.version, ({ version }) => version],
          [words.operator.started, ({ startedAt }) => <When at={startedAt} exact />],
          [words.operator.renewed, ({ renewedAt }) => <When at={renewedAt} />],
        ]}
      />
      <DataTable
        title={words.operator.notices}
        about={words.operator.noticesText}
        none={words.operator.noneYet}
        rows={overview.notices}
        keyOf={({ no }) => String(no)}
        columns={[
          [words.operator.when, ({ createdAt }) => <When at={createdAt} />],
          [words.operator.what, ({ kind }) => <code>{kind}</code>],
          [words.operator.owner, ({ ownerId }) => <UserText>{ownerId}</UserText>],
          [words.deliveries.webhook, ({ webhookId }) => <code>{webhookId ?? ""}</code>],
        ]}
      />
      <DataTable
        title={words.operator.changes}
        about={words.operator.changesText}
        none={words.operator.noneYet}
        rows={overview.changes}
        keyOf={({ no }) => String(no)}
        columns={[
          [words.operator.when, ({ at }) => <When at={at} />],
          [
            words.operator.who,
            ({ actor }) => (
              <UserText>{`${words.operator.actors[actor.kind]} ${actor.name ?? ""}`}</UserText>
            ),
          ],
          [words.operator.what, ({ action }) => <code>{action}</code>],
          [words.operator.of, ({ subject }) => <code>{subject.id}</code>],
          [words.operator.owner, ({ ownerId }) => <UserText>{ownerId ?? ""}</UserText>],
        ]}
      />
    </>
  );
}

type DataTableProps<Row> = TableProps<Row> & {
  about?: string;
  /** Instead of rows, where there are none. */
  none: string;
};

function DataTable<Row>({ about, none, ...table }: DataTableProps<Row>) {
  return (
    <Panel title={table.title} about={about}>
      {table.rows.length === 0 ? <p className={stack["dimmed"]}>{none}</p> : <Table {...table} />}
    </Panel>
  );
}
