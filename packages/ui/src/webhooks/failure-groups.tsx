import type { Failures, Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { keys } from "../api/query-keys.ts";
import type { LogFilter } from "../deliveries/log-filter.ts";
import { missingStatus, outcomeWords } from "../deliveries/outcome-words.ts";
import { useSession } from "../session/session-context.ts";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { UserText } from "../shared/user-text.tsx";
import { When } from "../shared/when.tsx";
import classes from "./failure-groups.module.css";

type Group = Failures["groups"][number];

const REFRESH_MS = 15_000;

/** Why deliveries failed, one line for each cause. */
export function FailureGroups({ webhook }: { webhook: Webhook }) {
  const { client } = useSession();
  const query = useQuery({
    queryKey: keys.failures(webhook.id),
    enabled: webhook.lastFailureAt !== null || webhook.givenUp !== null,
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => await client.deliveries.failures(webhook.id, { signal }),
  });
  const { groups = [], others = 0, capped = false } = query.data ?? {};
  if (groups.length === 0) return null;
  const remarks = [
    ...(others === 0 ? [] : [`${others} more failed for other reasons.`]),
    ...(capped ? ["Only the newest 1,000 of each kind were looked at."] : []),
  ];
  return (
    <div className={classes["panel"]}>
      <Panel title="What failed, by cause">
        <ul className={classes["groups"]} aria-label="Causes">
          {groups.map((group) => (
            <li key={`${group.deliveryId} ${group.lastAt}`} className={stack["spread"]}>
              <Cause group={group} />
              <div className={stack["row"]}>
                <Button
                  component={Link}
                  to="/deliveries/$deliveryId"
                  params={{ deliveryId: group.deliveryId } as never}
                  size="xs"
                  variant="subtle"
                >
                  Open the newest
                </Button>
                <Button
                  component={Link}
                  to="/webhooks/$webhookId"
                  params={{ webhookId: webhook.id } as never}
                  search={filterFor(group, webhook) as never}
                  size="xs"
                  variant="default"
                >
                  Show in the log
                </Button>
              </div>
            </li>
          ))}
        </ul>
        {remarks.length === 0 ? null : <p className={stack["dimmed"]}>{remarks.join(" ")}</p>}
      </Panel>
    </div>
  );
}

function Cause({ group }: { group: Group }) {
  const { outcome, status, sent, reply, count, givenUp, firstAt, lastAt } = group;
  const { title, next } = outcomeWords(outcome, sent);
  const open = count - givenUp;
  return (
    <div className={classes["cause"]}>
      <strong>
        {count.toLocaleString("en")} failed since <When at={firstAt} exact="minute" />:{" "}
        {status ?? missingStatus(outcome)}
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
        Last <When at={lastAt} />.
        {open === 0
          ? ""
          : ` ${open.toLocaleString("en")} ${open === 1 ? "is" : "are"} tried again.`}
        {givenUp === 0
          ? ""
          : ` ${givenUp.toLocaleString("en")} ${givenUp === 1 ? "was" : "were"} given up.`}
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
