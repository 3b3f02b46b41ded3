import { about, answerOf, type CallOptions, type Context } from "./call.ts";
import { type ReplayCount, type ReplayOptions, runSteps } from "./replay.ts";

export interface WaitingCount extends ReplayCount {
  /** How many are due now, or being sent. */
  sending: number;
}

/** Sends all waiting deliveries of one webhook before their time. */
export function createSendWaiting(context: Context) {
  const { api } = context;

  async function step(
    webhookId: string,
    body: { dryRun?: boolean; cursor?: string },
    options: CallOptions,
  ) {
    return await answerOf(
      api.POST("/v1/webhooks/{id}/send-waiting", {
        body,
        ...about(context, webhookId, options, { repeatable: true }),
      }),
      body.dryRun === true ? "count" : "sent",
    );
  }

  return {
    /** How many wait, and how many are on their way. */
    async count(webhookId: string, options: CallOptions = {}): Promise<WaitingCount> {
      const answer = await step(webhookId, { dryRun: true }, options);
      const { count = 0, capped = false, sending = 0 } = answer;
      return { count, capped, sending };
    },

    /**
     * Makes all of them due, step by step; they are sent in order, within the webhook's limits. If an attempt fails, its
     * delivery's retry schedule is as it was before.
     */
    async run(webhookId: string, options: ReplayOptions = {}): Promise<{ sent: number }> {
      return await runSteps(options, (from) => step(webhookId, from, options));
    },

    /** Those that no instance has taken yet wait for their next attempt again, as before `run`. Returns how many. */
    async stop(webhookId: string, options: CallOptions = {}): Promise<{ stopped: number }> {
      let stopped = 0;
      for (;;) {
        const answer = await answerOf(
          api.POST(
            "/v1/webhooks/{id}/stop-waiting",
            about(context, webhookId, options, { repeatable: true }),
          ),
          "stopped",
        );
        stopped += answer.stopped;
        if (!answer.more) return { stopped };
      }
    },
  };
}
