import type { Checkup, Webhook } from "@markethook/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "../api/query-keys.ts";
import { Seconds } from "../ping/seconds.tsx";
import { useSession } from "../session/session-context.ts";
import { BusyButton } from "../shared/busy-button.tsx";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { Notice } from "../shared/notice.tsx";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { StateLabel, type Tone } from "../shared/state-label.tsx";
import { UserText } from "../shared/user-text.tsx";
import classes from "./forgery-check.module.css";

type Probe = Checkup["probes"][number];

const FINDINGS: Readonly<Record<Probe["finding"], { word: string; tone: Tone }>> = {
  right: { word: "Right", tone: "good" },
  remark: { word: "Could be better", tone: "busy" },
  wrong: { word: "Wrong", tone: "bad" },
  unknown: { word: "Not known", tone: "quiet" },
};

const KINDS = { refuses_forgeries: "good", accepts_forgeries: "bad" } as const;

/** Does this webhook's server refuse requests that nobody signed? One button, a verdict, and a line for each request. */
export function ForgeryCheck({ webhook }: { webhook: Webhook }) {
  const { client } = useSession();
  const queries = useQueryClient();
  const check = useMutation({
    mutationFn: async () => await client.webhooks.check(webhook.id),
    // Its ping is in the log.
    onSettled: async () => await queries.invalidateQueries({ queryKey: keys.logs() }),
  });
  const checkup = check.isPending ? undefined : check.data;
  return (
    <Panel
      title="Does my server refuse forgeries?"
      about="Sends your server a ping, then eleven more requests: two that it must accept, and nine forged or recorded ones that it must refuse. All are test events, marked in a header."
      actions={
        <BusyButton variant="default" busy={check.isPending} onClick={() => check.mutate()}>
          Check my server
        </BusyButton>
      }
    >
      <div className={stack["stack"]} role="status">
        {check.isPending ? (
          <p className={classes["waiting"]}>
            Waiting for your server. <Seconds />
          </p>
        ) : null}
        {checkup === undefined ? null : (
          <>
            <Notice
              kind={KINDS[checkup.verdict as keyof typeof KINDS] ?? "warn"}
              title={checkup.sentence}
            >
              {checkup.verdict === "ping_failed" ? checkup.ping.sentence : checkup.advice}
            </Notice>
            {checkup.probes.length === 0 ? null : (
              <ul className={classes["probes"]}>
                {checkup.probes.map((probe) => (
                  <ProbeLine
                    key={probe.probe}
                    probe={probe}
                    withBody={checkup.verdict === "cannot_tell"}
                  />
                ))}
              </ul>
            )}
          </>
        )}
        {check.isPending ? null : <ErrorNotice error={check.error} />}
      </div>
    </Panel>
  );
}

function ProbeLine({ probe, withBody }: { probe: Probe; withBody: boolean }) {
  const { word, tone } = FINDINGS[probe.finding];
  return (
    <li className={classes["probe"]}>
      <StateLabel tone={tone}>{word}</StateLabel>
      <div className={classes["words"]}>
        <strong className={classes["title"]}>{probe.title}</strong>
        <p className={classes["sentence"]}>
          {probe.status === null ? null : `Your server replied ${probe.status}. `}
          {probe.sentence}
        </p>
        {withBody && probe.body !== "" ? (
          <p className={classes["reply"]}>
            <UserText>{probe.body}</UserText>
          </p>
        ) : null}
      </div>
    </li>
  );
}
