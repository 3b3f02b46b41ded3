import { Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Checkup, Webhook } from "@markethook/client";
import { keys } from "../api/query-cache.ts";
import { Seconds, StateLabel, type Tone, UserText } from "../shared/inline-text.tsx";
import { useSession } from "../session/session.ts";
import { BusyButton } from "../shared/buttons.tsx";
import { ErrorNotice, Notice, Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import classes from "./forgery-check.module.css";
import { words } from "../words/words.ts";
import { fromService } from "../words/rich.ts";
import { outcomeWords } from "../deliveries/delivery-words.ts";

type Probe = Checkup["probes"][number];

const TONES: Readonly<Record<Probe["finding"], Tone>> = {
  right: "good",
  remark: "busy",
  wrong: "bad",
  unknown: "quiet",
};

const KINDS: Partial<Record<Checkup["verdict"], "good" | "bad">> = {
  refuses_forgeries: "good",
  accepts_forgeries: "bad",
};

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
      title={words.verify.title}
      about={words.verify.about}
      actions={
        <BusyButton variant="default" busy={check.isPending} onClick={() => check.mutate()}>
          {words.verify.check}
        </BusyButton>
      }
    >
      <div role="status">
        {check.isPending ? (
          <p className={stack["dimmed"]}>{words.verify.waiting(<Seconds />)}</p>
        ) : null}
        {checkup === undefined ? null : <Judgement checkup={checkup} />}
      </div>
      {checkup === undefined || checkup.probes.length === 0 ? null : (
        <Stack component="ul" gap="sm">
          {checkup.probes.map((probe) => (
            <ProbeLine
              key={probe.probe}
              probe={probe}
              withBody={checkup.verdict === "cannot_tell"}
            />
          ))}
        </Stack>
      )}
      {check.isPending ? null : <ErrorNotice error={check.error} />}
    </Panel>
  );
}

/** The result of the check, and what to do. */
function Judgement({ checkup }: { checkup: Checkup }) {
  const { verdict, sentence, advice, ping } = checkup;
  const known = words.verify.judgements[codeOf(checkup)];
  let text: ReactNode = advice === null ? null : fromService(advice);
  if (verdict === "ping_failed") {
    const { title, next } = outcomeWords({ ...ping, isChat: false, fate: "test" });
    text = `${title}. ${next}`;
  } else if (known !== undefined) text = known.advice;
  return (
    <Notice
      announced
      kind={KINDS[verdict] ?? "warn"}
      title={known?.sentence ?? fromService(sentence)}
    >
      {text}
    </Notice>
  );
}

function ProbeLine({ probe, withBody }: { probe: Probe; withBody: boolean }) {
  const title = words.verify.probes[probe.probe]?.title;
  return (
    <li className={classes["probe"]}>
      <StateLabel tone={TONES[probe.finding]}>{words.verify.findings[probe.finding]}</StateLabel>
      <div className={classes["words"]}>
        <strong className={classes["title"]}>{title ?? fromService(probe.title)}</strong>
        <p className={classes["sentence"]}>
          {probe.status === null ? null : `${words.verify.replied(probe.status)} `}
          {probeSentence(probe)}
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

/** The service gives two reasons for `cannot_tell`; one of them is that replies are missing. */
function codeOf({ verdict, probes }: Checkup): string {
  const acceptsForged = probes.some(
    ({ kind, finding }) => kind === "forged" && finding === "wrong",
  );
  return verdict === "cannot_tell" && !acceptsForged ? "no_reply" : verdict;
}

/** The meaning of the reply to one request. */
function probeSentence({ probe, kind, finding, status, sentence }: Probe): ReactNode {
  const known = words.verify.probes[probe];
  if (known === undefined) return fromService(sentence);
  const { accepted, refused, noReply, askedLess, crashed, parsedFirst } = words.verify;
  if (finding === "right") return kind === "genuine" ? accepted : refused;
  if (finding === "unknown") return status === null ? noReply : askedLess;
  if (finding === "wrong" || kind === "genuine") return known.wrong;
  return (status ?? 0) >= 500 ? crashed : parsedFirst;
}
