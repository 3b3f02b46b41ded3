import type { PingResult, Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import { outcomeWords } from "../deliveries/outcome-words.ts";
import { ExchangeView } from "../exchange/exchange-view.tsx";
import { MessageRemarks } from "../deliveries/message-remarks.tsx";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { Panel } from "../shared/panel.tsx";
import { StateLabel, type Tone } from "../shared/state-label.tsx";
import { UserText } from "../shared/user-text.tsx";
import stack from "../shared/stack.module.css";
import { Seconds } from "./seconds.tsx";
import { AdoptAddress } from "../webhooks/adopt-address.tsx";
import type { PingControl } from "./use-ping.ts";

/** The answer to a ping, on the spot. */
export function PingPanel({ webhook, ping }: { webhook: Webhook; ping: PingControl }) {
  const { result } = ping;
  const isChat = webhook.format !== "json";
  return (
    <div role="status">
      {ping.isPending ? (
        <Panel
          title="Ping"
          about={
            <>
              Waiting for {isChat ? "the chat" : "your server"}. <Seconds />
            </>
          }
        />
      ) : null}
      {ping.isPending || ping.error === null ? null : <ErrorNotice error={ping.error} />}
      {ping.isPending || result === null ? null : (
        <Panel
          title={
            <>
              <StateLabel tone={toneOf(result)}>{titleOf(result, webhook)}</StateLabel>
              {result.refusal === undefined ? null : (
                <>
                  {" but your server replied: "}
                  <UserText>{result.refusal}</UserText>
                </>
              )}
            </>
          }
          about={
            result.outcome === "ok"
              ? isChat
                ? "The message stands there now. What it says is under Messages."
                : result.refusal === undefined
                  ? seen(result.status, ping.secret)
                  : READS_LIKE_REFUSAL
              : nextStep(result)
          }
          actions={
            <Button size="xs" variant="subtle" color="gray" c="dimmed" onClick={ping.dismiss}>
              Close
            </Button>
          }
        >
          <div className={stack["stack"]}>
            <AdoptAddress webhookId={webhook.id} exchange={result} />
            <MessageRemarks fault={result.fault} warnings={result.warnings} />
            <ExchangeView key={result.deliveryId} exchange={result} webhookId={webhook.id} />
          </div>
        </Panel>
      )}
    </div>
  );
}

const READS_LIKE_REFUSAL =
  "That reads like a refusal. Any status from 200 to 299 counts as accepted, and the event is not sent again. Reply with 401 when you refuse a request.";

function toneOf({ outcome, refusal }: PingResult): Tone {
  if (outcome !== "ok") return "bad";
  return refusal === undefined ? "good" : "busy";
}

function titleOf({ outcome, status, sent }: PingResult, webhook: Webhook): string {
  if (outcome === "ok") {
    return webhook.format === "json"
      ? `Ping accepted with ${status ?? "2xx"}`
      : "Ping posted to your channel";
  }
  const { title } = outcomeWords(outcome, sent);
  if (!sent) return `Not sent: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
  return status === null ? title : `${title}: ${status}`;
}

/** What was seen, and no more: a server that checks no signature replies the same. */
function seen(status: number | null, secret: "current" | "next"): string {
  return secret === "next"
    ? `Your server replied ${status ?? "2xx"} to a ping signed with the new secret alone. A server that checks no signatures replies the same: see in its log that it verified this ping.`
    : `Your server replied ${status ?? "2xx"}. Any status from 200 to 299 counts as accepted. To find out whether it refuses forged requests, open Verify requests.`;
}

/** The status an owner's own code most often gives when the secret is wrong deserves its own sentence. */
function nextStep({ outcome, status, sent }: PingResult): string {
  if (outcome === "http_error" && (status === 401 || status === 403)) {
    return "Most likely the signature did not fit: compare your server's secret with the one under Secret, or paste the request under Verify requests.";
  }
  if (outcome === "http_error" && status === 404) {
    return "Your server replies, but not at this path. Compare it with the route in your code.";
  }
  return outcomeWords(outcome, sent).next;
}
