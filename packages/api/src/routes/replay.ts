import { given, MarkethookError } from "@markethook/protocol";
import type { MissingFilter, ReplayFilter } from "@markethook/store";
import type { Static } from "typebox";
import { actingOwner, actingStore } from "../auth/actor.ts";
import { operation } from "../document/operation.ts";
import { refuseInDryRun } from "../input/dry-run.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { ONE_WEBHOOK, ReplayAnswer, ReplayBody } from "../schemas/webhook.ts";

/** Deliveries per request. The caller repeats with the cursor, so a crash leaves nothing half done. */
const STEP = 500;

export function replayRoutes(app: ApiInstance, { deps, cursors, limits }: RouteContext): void {
  const { webhooks, log, maintenance } = deps.store;

  app.post(
    "/webhooks/:id/replay",
    operation({
      ...ONE_WEBHOOK,
      id: "replayWebhook",
      summary: "Send a range of ended deliveries again, or of missing ones for the first time",
      description: `Ask with \`dryRun\` first for the count. Then each request sends at most ${STEP}; repeat it with the \`cursor\` of the answer until that is null; in a long log some send none. Deduplicating receivers ignore what they had. With \`include: missing\` deliveries are made of events that never had one to this webhook, because it was added later or chose them later; with the \`webhook-id\` that others of that event had.`,
      scope: "deliveries:write",
      limit: "steps",
      body: ReplayBody,
      answers: { 200: ReplayAnswer },
      errors: ["not_found", "cursor_invalid", "webhook_not_active", "dry_run"],
    }),
    async (request) => {
      const { from, to, states, events, include, confirm = false, dryRun, cursor } = request.body;
      const webhookId = request.params.id;
      const ownerId = actingOwner(request);
      check(request.body);
      await webhooks.get(webhookId, ownerId);
      if (dryRun !== true) await refuseInDryRun(deps, webhookId);
      const binding = {
        list: "replay",
        ownerId,
        filter: [
          webhookId,
          from,
          to,
          states ?? null,
          events ?? null,
          ...(include === undefined ? [] : [include, confirm]),
        ],
      };
      // A range that reaches into the future must not contain the deliveries of the replay itself, whose times are by the
      // database's clock. The chain distinguishes the cursors of two replays of one range.
      const [afterSeq = 0, until = 0, chain = 0] =
        cursor === undefined
          ? [
              0,
              Math.min(to * 1000, await maintenance.now()),
              Buffer.from(deps.randomBytes(6)).readUIntBE(0, 6),
            ]
          : cursors.read(binding, cursor).map(Number);
      if (dryRun !== true) limits.countStep(ownerId, cursor);
      const range = {
        webhookId,
        ownerId,
        from: from * 1000,
        to: until,
        ...given({ events }),
      };
      const acting = actingStore(deps, request).log;
      let step: { sent: number; nextSeq: number | null };
      if (include === "missing") {
        const kept = Math.max(range.from, deps.nowMs() - deps.retentionMs);
        const filter: MissingFilter = { ...range, from: kept, confirmed: confirm };
        if (dryRun === true) return await log.countMissing(filter);
        step = await acting.missingStep(filter, afterSeq, STEP);
      } else {
        const filter: ReplayFilter = { ...range, states: states ?? ["dead"] };
        if (dryRun === true) return await log.countReplay(filter);
        step = await acting.replayStep(filter, afterSeq, STEP);
      }
      if (step.sent > 0) deps.wake();
      return {
        sent: step.sent,
        cursor: step.nextSeq === null ? null : cursors.write(binding, [step.nextSeq, until, chain]),
      };
    },
  );
}

function check({ from, to, include, states }: Static<typeof ReplayBody>): void {
  if (to <= from) {
    throw new MarkethookError("field_invalid", {
      detail: "The range ends before it begins.",
      pointer: "/to",
    });
  }
  if (include !== undefined && states !== undefined) {
    throw new MarkethookError("field_invalid", {
      detail: "Missing deliveries have no state. Leave out `states` or `include`.",
      pointer: "/states",
    });
  }
}
