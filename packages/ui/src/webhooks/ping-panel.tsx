import { Button } from "@mantine/core";
import type { PingResult, Webhook } from "@markethook/client";
import { outcomeWords } from "../deliveries/delivery-words.ts";
import { ExchangeView, ReplyWords } from "../exchange/exchange-view.tsx";
import { MessageRemarks } from "../chat/message-remarks.tsx";
import { DIMMED_BUTTON } from "../shared/buttons.tsx";
import { ErrorNotice, Panel } from "../shared/panels.tsx";
import { Seconds, StateLabel, type Tone, UserText } from "../shared/inline-text.tsx";
import stack from "../shared/stack.module.css";
import { AdoptAddress } from "./adopt-address.tsx";
import { words } from "../words/words.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys, readAgain } from "../api/query-cache.ts";
import { useEffect, useEffectEvent } from "react";
import { useOffline } from "../shared/use-offline.ts";
import { useLiveStatus } from "../live/live-context.tsx";
import { useSession } from "../session/session.ts";

export type PingControl = ReturnType<typeof usePing>;

/** Exactly one request per press. */
export function usePing(webhookId: string) {
  const { client } = useSession();
  const queries = useQueryClient();
  const live = useLiveStatus();
  const ping = useMutation({
    mutationFn: async (secret: "current" | "next") =>
      await client.webhooks.ping(webhookId, { secret }),
    // The ping stays pending until the log is read again: a log that says "nothing sent yet" would contradict its reply.
    onSettled: async (_result, error) => {
      // A live stream reports the ping too, and webhooks are read after that. A refusal may mean that the webhook was
      // deleted elsewhere.
      if (live !== "live" || error !== null)
        void queries.invalidateQueries({ queryKey: keys.webhooks() });
      await readAgain(queries, { queryKey: keys.logs() });
    },
  });
  const offline = useOffline();
  const forgetFailure = useEffectEvent(() => {
    if (ping.isError) ping.reset();
  });
  // "The service cannot be reached" would not be true any more.
  useEffect(() => {
    if (!offline) forgetFailure();
  }, [offline]);
  return {
    send: (secret: "current" | "next"): void => {
      globalThis.scrollTo({ top: 0 });
      ping.mutate(secret);
    },
    dismiss: ping.reset,
    isPending: ping.isPending,
    result: ping.data ?? null,
    error: ping.error,
    /** Which secret signed it. */
    secret: ping.variables ?? "current",
  };
}

/** The answer to a ping, on the spot. Its first words are read out, and not the request and the reply below them. */
export function PingPanel({ webhook, ping }: { webhook: Webhook; ping: PingControl }) {
  const result = ping.isPending ? null : ping.result;
  const isChat = webhook.format !== "json";
  const head = ping.isPending
    ? { title: words.webhooks.ping, about: words.ping.waiting(isChat, <Seconds />) }
    : result === null
      ? { title: null }
      : {
          title: <Title result={result} webhook={webhook} />,
          about: (
            <>
              <ReplyWords attempt={result} />
              {nextStep(result, ping, webhook)}
            </>
          ),
        };
  return (
    <div>
      <Panel
        readOut
        {...head}
        actions={
          result === null ? undefined : (
            <Button size="xs" {...DIMMED_BUTTON} onClick={ping.dismiss}>
              {words.shared.close}
            </Button>
          )
        }
      >
        {result === null ? null : (
          <div className={stack["stack"]}>
            <AdoptAddress webhookId={webhook.id} exchange={result} />
            <MessageRemarks of={result} />
            <ExchangeView key={result.deliveryId} exchange={result} webhookId={webhook.id} />
          </div>
        )}
      </Panel>
      {ping.isPending ? null : <ErrorNotice error={ping.error} />}
    </div>
  );
}

function Title({ result, webhook }: { result: PingResult; webhook: Webhook }) {
  return (
    <>
      <StateLabel tone={toneOf(result)}>{titleOf(result, webhook)}</StateLabel>
      {result.refusal === undefined
        ? null
        : words.ping.butReplied(<UserText>{result.refusal}</UserText>)}
    </>
  );
}

function toneOf({ outcome, refusal }: PingResult): Tone {
  if (outcome !== "ok") return "bad";
  return refusal === undefined ? "good" : "busy";
}

function titleOf(result: PingResult, webhook: Webhook): string {
  const { outcome, status, sent } = result;
  if (outcome === "ok") {
    return webhook.format === "json" ? words.ping.accepted(status) : words.ping.posted;
  }
  const { title } = failure(result, webhook);
  if (!sent) return words.ping.notSent(title);
  return status === null ? title : words.ping.failed(title, status);
}

function failure(result: PingResult, webhook: Webhook): ReturnType<typeof outcomeWords> {
  return outcomeWords({ ...result, isChat: webhook.format !== "json", fate: "test" });
}

function nextStep(result: PingResult, { secret }: PingControl, webhook: Webhook): string {
  const { outcome, status, refusal } = result;
  if (outcome !== "ok") return failure(result, webhook).next;
  if (webhook.format !== "json") return words.ping.messageThere;
  if (refusal !== undefined) return words.ping.likeRefusal;
  // Says only what was seen: a server that checks no signature replies the same.
  return secret === "next" ? words.ping.seenNext(status) : words.ping.seen(status);
}
