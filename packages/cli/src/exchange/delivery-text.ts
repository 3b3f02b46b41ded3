import type { Attempt, DeliveryDetail } from "@markethook/client";
import type { Output } from "../output/output.ts";
import { type Branch, treeText } from "../output/tree.ts";
import { visible } from "../output/visible-text.ts";
import { exchangeBranches, timingsText } from "./exchange-branches.ts";

/** A delivery as a tree: what it is, and each attempt with its request and answer. */
export function deliveryText(delivery: DeliveryDetail, out: Output): string {
  const { id, event, state, reason, attemptList, next } = delivery;
  const colour = state === "delivered" ? "green" : state === "dead" ? "red" : "yellow";
  const why = reason === null ? "" : ` (${visible(reason)})`;
  const ended = delivery.endedAt === null ? "" : `, ended ${delivery.endedAt}`;
  const user = delivery.userId === null ? "" : `, about user ${delivery.userId}`;
  const branches: Branch[] = [
    {
      text: `event    ${visible(delivery.eventId)} of ${new Date(delivery.time * 1000).toISOString()}${user}`,
    },
    { text: `webhook  ${visible(delivery.webhookId)} of ${visible(delivery.resourceId)}` },
    { text: `made     ${delivery.createdAt}, ${originText(delivery.origin)}${ended}` },
  ];
  if (delivery.details !== null) {
    branches.push({ text: `details  ${visible(JSON.stringify(delivery.details))}` });
  }
  const earlier = (attemptList[0]?.number ?? 1) - 1;
  if (earlier > 0) branches.push({ text: `…        ${earlier} earlier, not shown` });
  branches.push(...attemptList.map((attempt) => attemptBranch(attempt, out)));
  if (next !== null) {
    const at = next.at === null ? "" : `${next.at}. `;
    branches.push({ text: `next     ${at}${visible(next.reason)}` });
  }
  return treeText({
    text: `${out.style("bold", visible(id))}  ${visible(event)}  ${out.style(colour, state)}${why}`,
    branches,
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
