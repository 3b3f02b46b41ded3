import { given } from "@markethook/protocol/given";
import { answerOf, callOptions, type CallOptions, type Context } from "./call.ts";
import type { operations } from "./generated/api.ts";
import { sleep } from "./until-aborted.ts";

/** Of all steps so far; `cursor` null at the end. */
export type EraseProgress =
  operations["eraseUser"]["responses"][200]["content"]["application/json"];

export interface EraseOptions extends CallOptions {
  /** Count only. */
  dryRun?: boolean;
  /** Goes on where an earlier run, for the same user, ended. */
  cursor?: string;
  onProgress?: (progress: EraseProgress) => void;
}

/** A request that is on its way has ended after that, mostly. */
const OPEN_MS = 1000;

export function createUsers(context: Context) {
  const { api } = context;

  return {
    /**
     * Erases one user from the database, step by step. A finished step stays done, and the call may be repeated.
     * Needs the scope `users:erase`.
     */
    async erase(userId: number, options: EraseOptions = {}): Promise<EraseProgress> {
      const { dryRun = false } = options;
      let cursor = options.cursor;
      for (;;) {
        const progress: EraseProgress = await answerOf(
          api.POST("/v1/users/{id}/erase", {
            params: { path: { id: String(userId) } },
            body: given({ dryRun, cursor }),
            // To erase what is erased changes nothing.
            ...callOptions(context, options, { repeatable: true }),
          }),
          "events",
        );
        options.onProgress?.(progress);
        if (progress.cursor === null) return progress;
        cursor = progress.cursor;
        if (progress.open > 0 && !dryRun) await sleep(OPEN_MS, options.signal);
      }
    },
  };
}
