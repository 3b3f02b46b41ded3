import { answerOf, callOptions, ownerQuery, type CallOptions, type Context } from "./call.ts";
import type { Notice } from "./schemas.ts";
import { sleep } from "./sleep.ts";

export interface NoticesOptions extends CallOptions {
  /** Above this number; keep the last notice's `no`. Default: from the first. */
  after?: number;
}

export interface FollowOptions extends NoticesOptions {
  /** Between questions when nothing is new. Default 5,000. */
  intervalMs?: number;
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
        api.GET("/v1/notices", {
          params: { query: { ...ownerQuery(context), after, limit: PAGE_SIZE } },
          ...callOptions(context, options),
        }),
      );
      items = answer.items;
      after = answer.after;
      yield* items;
    } while (items.length > 0);
  }

  return {
    list,

    /** Like `list`, and then whatever comes, until the signal ends it by throwing its reason. */
    async *follow(options: FollowOptions = {}): AsyncGenerator<Notice, never, undefined> {
      let after = options.after ?? 0;
      for (;;) {
        for await (const notice of list({ ...options, after })) {
          yield notice;
          after = notice.no;
        }
        await sleep(options.intervalMs ?? 5000, options.signal);
      }
    },
  };
}
