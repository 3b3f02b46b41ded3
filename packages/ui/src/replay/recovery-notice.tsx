import type { Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { keys, REFRESH_MS, useRead } from "../api/query-cache.ts";
import { outcomeWords } from "../deliveries/delivery-words.ts";
import { ReplayProgress } from "./replay-progress.tsx";
import { useSession } from "../session/session.ts";
import { ErrorNotice, Notice, Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { When } from "../shared/inline-text.tsx";
import { useSendWaiting } from "./use-steps.ts";
import { words } from "../words/words.ts";

type LastAttempt = NonNullable<Webhook["health"]["lastAttempt"]>;

/** The last reply of the webhook's server, its meaning, and one button that sends all waiting deliveries. */
export function RecoveryNotice({ webhook }: { webhook: Webhook }) {
  const { info } = useSession();
  const steps = useSendWaiting(webhook.id);
  const waiting = useRead(
    keys.waiting(webhook.id),
    (client, signal) => client.sendWaiting.count(webhook.id, { signal }),
    { enabled: webhook.lastFailureAt !== null, refetchInterval: REFRESH_MS },
  );
  const send = (): void => {
    steps.reset();
    // The button's count may be some seconds old.
    steps.count.mutate(null, { onSuccess: () => steps.run.mutate(null) });
  };
  if (!steps.run.isIdle) return <Sending steps={steps} />;
  const { failingSince: since } = webhook;
  const last = webhook.health.lastAttempt;
  const acceptedAt = last?.outcome === "ok" ? last.at : null;
  const count = waiting.data?.count ?? 0;
  if (since === null && (acceptedAt === null || count === 0)) return null;
  const capped = waiting.data?.capped === true;
  const isChat = webhook.format !== "json";
  return (
    <Notice
      kind="warn"
      title={
        acceptedAt === null
          ? words.early.isFailing(isChat)
          : words.early.repliesAgain(isChat, count, capped)
      }
      action={
        count === 0 ? undefined : (
          <Button
            size="xs"
            variant={acceptedAt === null ? "default" : "filled"}
            loading={steps.count.isPending}
            onClick={send}
          >
            {words.early.sendNow(count, capped)}
          </Button>
        )
      }
    >
      {acceptedAt === null ? (
        <>
          {last === null ? null : lastReply(last, isChat)}
          {since === null
            ? null
            : words.early.noneSince(<When at={since} exact />, info.disableAfterMs)}
        </>
      ) : since === null ? (
        words.early.attemptFailed
      ) : (
        words.early.pingAccepted(<When at={acceptedAt} />, <When at={since} exact />)
      )}
      <ErrorNotice error={steps.count.error} />
    </Notice>
  );
}

/** Shown in place of the notice while deliveries are sent, until the owner closes it. */
function Sending({ steps }: { steps: ReturnType<typeof useSendWaiting> }) {
  const { run } = steps;
  const found = steps.count.data ?? { count: 0, capped: false };
  return (
    <Panel
      title={
        run.isPending
          ? words.early.sendingWaited
          : run.isSuccess
            ? words.early.allSent
            : words.early.stopped
      }
      actions={
        run.isPending ? (
          <Button size="xs" variant="default" onClick={steps.stop}>
            {words.early.stop}
          </Button>
        ) : (
          <>
            {run.isError ? (
              <Button size="xs" onClick={() => run.mutate(null)}>
                {words.early.goOn}
              </Button>
            ) : null}
            <Button size="xs" variant="default" onClick={steps.reset}>
              {words.shared.close}
            </Button>
          </>
        )
      }
    >
      <ReplayProgress steps={steps} of={found.count} capped={found.capped} othersWait />
      {run.isPending ? <p className={stack["dimmed"]}>{words.early.goesOn}</p> : null}
      <ErrorNotice error={steps.wasStopped ? undefined : run.error} />
    </Panel>
  );
}

const ASKS_TO_END: ReadonlySet<string> = new Set(["gone", "disabled_by_receiver"]);

function lastReply({ outcome, status }: LastAttempt, isChat: boolean): ReactNode {
  const sent = status === null ? null : true;
  // The webhook is active, so only a ping can have got such a reply, which disables nothing.
  const fate = ASKS_TO_END.has(outcome) ? "test" : "open";
  const { title, next } = outcomeWords({ outcome, status, sent, isChat, fate });
  return (
    <>
      {words.early.lastTime(title, status)} {next}{" "}
    </>
  );
}
