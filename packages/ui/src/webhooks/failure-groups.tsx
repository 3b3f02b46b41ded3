import { Box } from "@mantine/core";
import type { Failures, Webhook } from "@markethook/client";
import { LinkButton } from "../shared/buttons.tsx";
import { keys, REFRESH_MS, useRead } from "../api/query-cache.ts";
import type { LogFilter } from "../deliveries/log-filter.ts";
import { outcomeWords, shortOutcomeWords } from "../deliveries/delivery-words.ts";
import { Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { UserText, When } from "../shared/inline-text.tsx";
import classes from "./webhook-page.module.css";
import { words } from "../words/words.ts";

type Group = Failures["groups"][number];

/** How many deliveries of each kind the service examines. */
const LOOKED_AT = 1000;

/** Why deliveries failed, one line for each cause. */
export function FailureGroups({ webhook, onShow }: { webhook: Webhook; onShow: () => void }) {
  const query = useRead(
    keys.failures(webhook.id),
    (client, signal) => client.deliveries.failures(webhook.id, { signal }),
    {
      enabled: webhook.lastFailureAt !== null || webhook.givenUp !== null,
      refetchInterval: REFRESH_MS,
    },
  );
  const { groups = [], others = 0, capped = false } = query.data ?? {};
  if (groups.length === 0) return null;
  const remarks = [
    ...(others === 0 ? [] : [words.webhooks.othersFailed(others)]),
    ...(capped ? [words.webhooks.onlyNewest(LOOKED_AT)] : []),
  ];
  return (
    <Box mb="md">
      <Panel title={words.webhooks.whatFailed}>
        <ul className={stack["stack"]} aria-label={words.webhooks.causes}>
          {groups.map((group) => (
            <li key={`${group.deliveryId} ${group.lastAt}`} className={stack["spread"]}>
              <Cause group={group} isChat={webhook.format !== "json"} />
              <div className={stack["row"]}>
                <LinkButton
                  to="/deliveries/$deliveryId"
                  params={{ deliveryId: group.deliveryId }}
                  size="xs"
                  variant="subtle"
                >
                  {words.webhooks.openNewest}
                </LinkButton>
                <LinkButton
                  to="/webhooks/$webhookId"
                  params={{ webhookId: webhook.id }}
                  search={filterFor(group, webhook)}
                  resetScroll={false}
                  onClick={onShow}
                  size="xs"
                  variant="default"
                >
                  {words.webhooks.showInLog}
                </LinkButton>
              </div>
            </li>
          ))}
        </ul>
        {remarks.length === 0 ? null : <p className={stack["dimmed"]}>{remarks.join(" ")}</p>}
      </Panel>
    </Box>
  );
}

function Cause({ group, isChat }: { group: Group; isChat: boolean }) {
  const { outcome, status, reply, count, givenUp, firstAt, lastAt } = group;
  const fate = givenUp === count ? "over" : "open";
  const { title, next } = outcomeWords({ ...group, isChat, fate });
  const open = count - givenUp;
  return (
    <div className={classes["cause"]}>
      <strong>
        {words.webhooks.failedSince(
          count,
          <When at={firstAt} exact="minute" />,
          status ?? shortOutcomeWords(outcome),
        )}
      </strong>
      {reply === "" ? null : (
        <>
          {" "}
          <code>
            <UserText>{reply}</UserText>
          </code>
        </>
      )}
      <div>
        {title}. {next}
      </div>
      <div className={stack["dimmed"]}>
        {words.webhooks.last(<When at={lastAt} />)}
        {open === 0 ? "" : ` ${words.webhooks.areTriedAgain(open)}`}
        {givenUp === 0 ? "" : ` ${words.webhooks.wereGivenUp(givenUp)}`}
      </div>
    </div>
  );
}

/** The nearest that the log can be narrowed to. */
function filterFor({ status, count, givenUp }: Group, { state }: Webhook): LogFilter {
  const ended: LogFilter = givenUp === count ? { state: "dead" } : {};
  if (status !== null) return { status, ...ended };
  if (givenUp > 0) return { state: "dead" };
  return { state: state === "active" ? "pending" : "held" };
}
