import { given } from "@markethook/protocol/given";
import { about, answerOf, type CallOptions, type Context } from "./call.ts";
import type { ReplayRange } from "./schemas.ts";

export interface ReplayCount {
  count: number;
  /** There are more than were counted. */
  capped: boolean;
  /**
   * With `include: "missing"`: how many come after a later event about the same buyer was sent. They are left out, and
   * not counted, without `confirm`.
   */
  outOfOrder?: number;
}

export interface ReplayProgress {
  /** Deliveries made so far. */
  sent: number;
  /** Where it goes on; null at the end. */
  cursor: string | null;
}

export interface ReplayOptions extends CallOptions {
  /** Goes on where an earlier run, of the same range, ended. */
  cursor?: string;
  onProgress?: (progress: ReplayProgress) => void;
}

export function createReplay(context: Context) {
  const { api } = context;

  async function step(
    webhookId: string,
    body: ReplayRange & { dryRun?: boolean; cursor?: string },
    options: CallOptions,
    repeatable: boolean,
  ) {
    return await answerOf(
      api.POST("/v1/webhooks/{id}/replay", {
        body,
        ...about(context, webhookId, options, { repeatable }),
      }),
      body.dryRun === true ? "count" : "sent",
    );
  }

  return {
    /** How many would be sent. */
    async count(
      webhookId: string,
      range: ReplayRange,
      options: CallOptions = {},
    ): Promise<ReplayCount> {
      const {
        count = 0,
        capped = false,
        outOfOrder,
      } = await step(webhookId, { ...range, dryRun: true }, options, true);
      return given({ count, capped, outOfOrder });
    },

    /**
     * Sends a range of ended deliveries again, `dead` ones unless `states` says otherwise, step by step. With
     * `include: "missing"` it makes the deliveries of events that never had one to this webhook. What a step
     * has sent stays sent. A step whose answer was lost throws and is not repeated by itself: `onProgress` told the
     * cursor to go on with, and receivers that deduplicate ignore what comes twice.
     */
    async run(
      webhookId: string,
      range: ReplayRange,
      options: ReplayOptions = {},
    ): Promise<{ sent: number }> {
      return await runSteps(options, (from) =>
        step(webhookId, { ...range, ...from }, options, false),
      );
    },
  };
}

/** Takes one step after the other, until there is no cursor to go on with. */
export async function runSteps(
  { cursor: first, onProgress }: ReplayOptions,
  step: (from: { cursor?: string }) => Promise<{ sent?: number; cursor?: string | null }>,
): Promise<{ sent: number }> {
  let sent = 0;
  let cursor = first ?? null;
  do {
    const answer = await step(cursor === null ? {} : { cursor });
    sent += answer.sent ?? 0;
    cursor = answer.cursor ?? null;
    onProgress?.({ sent, cursor });
  } while (cursor !== null);
  return { sent };
}
