import type { Attempt, DeliveryDetail } from "@markethook/client";
import type { Output } from "../output/output.ts";
import { type Branch, facts, treeText } from "../output/tree.ts";
import { visible } from "../output/visible-text.ts";
import { exchangeBranches, timingsText } from "./exchange-branches.ts";

/** A delivery as a tree: what it is, and each attempt with its request and answer. */
export function deliveryText(delivery: DeliveryDetail, out: Output): string {
  const { id, event, state, reason, attemptList, next } = delivery;
  const colour = state === "delivered" ? "green" : state === "dead" ? "red" : "yellow";
  const why = reason === null ? "" : ` (${visible(reason)})`;
  const ended = delivery.endedAt === null ? "" : `, ended ${delivery.endedAt}`;
  const user = delivery.userId === null ? "" : `, about user ${delivery.userId}`;
  const earlier = (attemptList[0]?.number ?? 1) - 1;
  const at = next === null || next.at === null ? "" : `${next.at}. `;
  return treeText({
    text: `${out.style("bold", visible(id))}  ${visible(event)}  ${out.style(colour, state)}${why}`,
    branches: [
      ...facts(9, {
        event: `${visible(delivery.eventId)} of ${new Date(delivery.time * 1000).toISOString()}${user}`,
        webhook: `${visible(delivery.webhookId)} of ${visible(delivery.resourceId)}`,
        made: `${delivery.createdAt}, ${originText(delivery.origin)}${ended}`,
        details: delivery.details === null ? null : visible(JSON.stringify(delivery.details)),
        "…": earlier > 0 ? `${earlier} earlier, not shown` : null,
      }),
      ...attemptList.map((attempt) => attemptBranch(attempt, out)),
      ...facts(9, { next: next === null ? null : `${at}${visible(next.reason)}` }),
    ],
  });
}

function attemptBranch(attempt: Attempt, out: Output): Branch {
  const { number, at, outcome, status, timings, operatorDetail } = attempt;
  const word = out.style(outcome === "ok" ? "green" : "red", visible(outcome));
  const answered = status === null ? word : `${status} ${word}`;
  const took = timings === null ? "" : `, ${timingsText(timings)}`;
  return {
    text: `attempt ${number}  ${at}  ${answered}${took}`,
    branches: [
      ...(attempt.fault === undefined ? [] : [{ text: visible(attempt.fault) }]),
      ...(attempt.warnings ?? []).map((warning) => ({ text: visible(warning) })),
      ...(operatorDetail === undefined ? [] : [{ text: visible(operatorDetail) }]),
      ...exchangeBranches(attempt, out),
    ],
  };
}

function originText(origin: DeliveryDetail["origin"]): string {
  return origin === "event" ? "by the event" : `as a ${origin}`;
}
