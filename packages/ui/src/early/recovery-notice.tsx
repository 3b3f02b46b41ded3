import type { Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/query-keys.ts";
import { outcomeWords } from "../deliveries/outcome-words.ts";
import { ReplayProgress } from "../replay/replay-progress.tsx";
import { useSession } from "../session/session-context.ts";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { Notice } from "../shared/notice.tsx";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { When } from "../shared/when.tsx";
import { useSendWaiting } from "./use-send-waiting.ts";

const REFRESH_MS = 15_000;

/** What the webhook's server replied last, what that means, and one button that sends all that waits. */
export function RecoveryNotice({ webhook }: { webhook: Webhook }) {
  const { client } = useSession();
  const steps = useSendWaiting(webhook.id);
  const waiting = useQuery({
    queryKey: keys.waiting(webhook.id),
    enabled: webhook.lastFailureAt !== null,
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => await client.sendWaiting.count(webhook.id, { signal }),
  });
  const send = (): void => {
    steps.reset();
    // What was counted for the button may be some seconds old.
    steps.count.mutate(null, { onSuccess: () => steps.run.mutate(null) });
  };
  if (!steps.run.isIdle) return <Sending steps={steps} />;
  const { failingSince: since } = webhook;
  const last = webhook.health.lastAttempt;
  const acceptedAt = last?.outcome === "ok" ? last.at : null;
  const count = waiting.data?.count ?? 0;
  if (since === null && (acceptedAt === null || count === 0)) return null;
  const many = `${waiting.data?.capped === true ? "more than " : ""}${count.toLocaleString("en")}`;
  const who = webhook.format === "json" ? "Your server" : "The chat";
  return (
    <Notice
      kind="warn"
      title={
        acceptedAt === null
          ? `${who} is failing`
          : `${who} replies again.${count === 0 ? "" : ` Send the ${many} that ${count === 1 ? "waits" : "wait"}?`}`
      }
      action={
        count === 0 ? undefined : (
          <Button
            size="xs"
            variant={acceptedAt === null ? "default" : "filled"}
            loading={steps.count.isPending}
            onClick={send}
          >
            Send {many} now
          </Button>
        )
      }
    >
      {acceptedAt === null ? (
        <>
          {last === null ? null : <LastReply outcome={last.outcome} status={last.status} />}
          {since === null ? null : (
            <>
              No delivery has been accepted since <When at={since} exact />; a ping does not count.
              After five days of this the webhook is disabled.
            </>
          )}
        </>
      ) : since === null ? (
        "An attempt of these failed. Each goes by itself at its next one, or all of them now."
      ) : (
        <>
          It accepted a ping <When at={acceptedAt} />. No delivery was accepted since{" "}
          <When at={since} exact />: send what waits now, and see.
        </>
      )}
      <ErrorNotice error={steps.count.error} />
    </Notice>
  );
}

/** In the notice's place, until it is closed. */
function Sending({ steps }: { steps: ReturnType<typeof useSendWaiting> }) {
  const { run } = steps;
  const found = steps.count.data ?? { count: 0, capped: false };
  return (
    <Panel
      title={
        run.isPending ? "Sending what waited" : run.isSuccess ? "All of it was sent" : "Stopped"
      }
      actions={
        run.isPending ? (
          <Button size="xs" variant="default" onClick={steps.stop}>
            Stop
          </Button>
        ) : (
          <>
            {run.isError ? (
              <Button size="xs" onClick={() => run.mutate(null)}>
                Go on
              </Button>
            ) : null}
            <Button size="xs" variant="default" onClick={steps.reset}>
              Close
            </Button>
          </>
        )
      }
    >
      <ReplayProgress
        done={steps.done}
        of={found.count}
        capped={found.capped}
        perSecond={steps.perSecond}
        waiting={steps.waiting}
        othersWait
        phase={run.isSuccess ? "over" : run.isPending ? "running" : "stopped"}
      />
      {run.isPending ? <p className={stack["dimmed"]}>It goes on if you close this page.</p> : null}
      <ErrorNotice error={steps.wasStopped ? undefined : run.error} />
    </Panel>
  );
}

function LastReply({ outcome, status }: { outcome: string; status: number | null }) {
  const { title, next } = outcomeWords(outcome, status !== null);
  return (
    <>
      <strong>
        Last time: {title.charAt(0).toLowerCase() + title.slice(1)}
        {status === null ? "" : ` (${status})`}.
      </strong>{" "}
      {next}{" "}
    </>
  );
}
