import { useWebhooks } from "../api/use-webhooks.ts";
import { Link } from "@tanstack/react-router";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { withLocalTimes } from "../shared/relative-time.ts";
import { StateLabel, type Tone } from "../shared/state-label.tsx";
import { UserText } from "../shared/user-text.tsx";
import { When } from "../shared/when.tsx";
import classes from "./explanation-lines.module.css";
import { webhookTitle } from "../webhooks/webhook-words.ts";
import { SendMissing } from "./send-missing.tsx";
import { useExplanation } from "./use-events.ts";

const VERDICTS: Readonly<Record<string, { word: string; tone: Tone }>> = {
  sent: { word: "Sent", tone: "good" },
  pending: { word: "Pending", tone: "busy" },
  waiting: { word: "Waiting", tone: "busy" },
  held: { word: "Held", tone: "quiet" },
  not_chosen: { word: "Not chosen", tone: "quiet" },
  paused_since: { word: "Paused", tone: "quiet" },
  disabled: { word: "Disabled", tone: "bad" },
  created_later: { word: "Added later", tone: "quiet" },
  deleted: { word: "Deleted", tone: "quiet" },
  blocked_address: { word: "Blocked", tone: "bad" },
  failed: { word: "Failed", tone: "bad" },
  cancelled: { word: "Cancelled", tone: "quiet" },
};

/** Verdicts that hold from a moment on; others happened at one. */
const LASTING: ReadonlySet<string> = new Set(["held", "paused_since", "disabled"]);

/** One line per webhook: what became of the event there, and why. */
export function ExplanationLines({ eventId }: { eventId: string }) {
  const explanation = useExplanation(eventId);
  const webhooks = useWebhooks();
  if (explanation.error !== null) {
    return (
      <div className={classes["message"]}>
        <ErrorNotice error={explanation.error} />
      </div>
    );
  }
  if (explanation.data === undefined) {
    return (
      <p className={classes["message"]} role="status">
        Looking…
      </p>
    );
  }
  if (explanation.data.webhooks.length === 0) {
    return <p className={classes["message"]}>The resource had no webhook.</p>;
  }
  const { acceptedAt } = explanation.data.event;
  return (
    <ul className={classes["lines"]}>
      {explanation.data.webhooks.map((line) => {
        const { word, tone } = VERDICTS[line.verdict] ?? { word: line.verdict, tone: "quiet" };
        const webhook = webhooks.data?.find(({ id }) => id === line.webhookId);
        const title = webhook === undefined ? line.url : webhookTitle(webhook);
        return (
          <li key={line.webhookId} className={classes["line"]}>
            <span className={classes["verdict"]}>
              <StateLabel tone={tone}>{word}</StateLabel>
            </span>
            <div className={classes["words"]}>
              <UserText className={classes["title"] ?? ""}>{title}</UserText>
              {title === line.url ? null : (
                <UserText className={classes["url"] ?? ""}>{line.url}</UserText>
              )}
              <p className={classes["sentence"]}>
                {withLocalTimes(line.sentence)}
                {line.since === undefined ? null : (
                  <>
                    {" "}
                    {LASTING.has(line.verdict) ? "Since " : ""}
                    <When at={line.since} exact />.
                  </>
                )}
              </p>
            </div>
            <span className={classes["links"]}>
              {line.missing === true ? (
                <SendMissing webhookId={line.webhookId} acceptedAt={acceptedAt} />
              ) : null}
              {line.deliveryId === undefined ? null : (
                <Link to="/deliveries/$deliveryId" params={{ deliveryId: line.deliveryId }}>
                  Delivery
                </Link>
              )}
              {line.behindDeliveryId === undefined ? null : (
                <Link to="/deliveries/$deliveryId" params={{ deliveryId: line.behindDeliveryId }}>
                  The one before
                </Link>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
