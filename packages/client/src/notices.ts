import { answerOf, withQuery, type CallOptions, type Context } from "./call.ts";
import { ApiError, UnexpectedAnswerError, UnreachableError } from "./errors.ts";
import { isBusy } from "./retry-policy.ts";
import type { Notice } from "./schemas.ts";
import { sleep } from "./until-aborted.ts";

export interface NoticesOptions extends CallOptions {
  /** Above this number; keep the last notice's `no`. Default: from the first. */
  after?: number;
}

export interface FollowOptions extends NoticesOptions {
  /** Between questions when nothing is new. Default 5,000. */
  intervalMs?: number;
  /** No answer came, or that the service is busy; it is asked again. Called once until it answers. */
  onOutage?: (error: Error) => void;
}

const PAGE_SIZE = 200;

export function createNotices(context: Context) {
  const { api } = context;

  /** Oldest first, until there are no more. */
  async function* list(options: NoticesOptions = {}): AsyncGenerator<Notice, void, undefined> {
    let after = options.after ?? 0;
    let items: Notice[] = [];
    do {
      const answer = await answerOf(
        api.GET("/v1/notices", withQuery(context, { after, limit: PAGE_SIZE }, options)),
        "items",
      );
      items = answer.items;
      after = answer.after;
      yield* items;
    } while (items.length > 0);
  }

  return {
    list,

    /**
     * Like `list`, and then whatever comes, until the signal ends it by throwing its reason. Once the service has
     * answered, it is asked again after an outage of any length. Before that, and when it refuses, the error is thrown.
     */
    async *follow(options: FollowOptions = {}): AsyncGenerator<Notice, never, undefined> {
      const { intervalMs = 5000, signal, onOutage } = options;
      let after = options.after ?? 0;
      let state: "new" | "answers" | "away" = "new";
      for (;;) {
        try {
          for await (const notice of list({ ...options, after })) {
            state = "answers";
            yield notice;
            after = notice.no;
          }
          state = "answers";
        } catch (error) {
          signal?.throwIfAborted();
          if (state === "new" || !isOutage(error)) throw error;
          if (state === "answers") onOutage?.(error);
          state = "away";
        }
        await sleep(intervalMs, signal);
      }
    },
  };
}

function isOutage(error: unknown): error is Error {
  if (error instanceof UnreachableError) return error.reason !== "tls";
  return (
    (error instanceof ApiError || error instanceof UnexpectedAnswerError) && isBusy(error.status)
  );
}
