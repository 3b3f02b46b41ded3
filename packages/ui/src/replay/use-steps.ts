import type { ReplayCount, ReplayOptions } from "@markethook/client";
import { useMutation, type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { keys } from "../api/query-cache.ts";
import { useSession } from "../session/session.ts";

const LOOK_EVERY_MS = 1000;
/** The rate is that of the last few looks. */
const LOOKS = 6;

interface Steps<Range> {
  count(range: Range): Promise<ReplayCount & { sending?: number }>;
  /** Makes them due, step by step. */
  run(range: Range, options: ReplayOptions): Promise<{ sent: number }>;
  /** How many of the webhook's deliveries are on their way (`sending`), and how many wait for a later attempt. */
  look(): Promise<Left>;
  /** After a stop: those that are not on their way yet wait as before. Without it they are still sent. */
  takeBack?(): Promise<{ stopped: number }>;
}

interface Left {
  sending: number;
  count: number;
}

interface Look {
  atMs: number;
  done: number;
}

/**
 * Counts a range, makes it due step by step, and follows it until all of it has been sent. Stopping leaves what was
 * sent; going on is from where it stopped.
 */
export function useSteps<Range>(steps: Steps<Range>) {
  const queries = useQueryClient();
  const stopping = useRef<AbortController | null>(null);
  const cursor = useRef<string | null>(null);
  const made = useRef(0);
  const [looks, setLooks] = useState<readonly Look[]>([]);
  const done = looks.at(-1)?.done ?? 0;

  const count = useMutation({
    mutationFn: async (range: Range) => await steps.count(range),
  });

  async function make(range: Range, signal: AbortSignal): Promise<void> {
    const before = made.current;
    await steps.run(range, {
      ...(cursor.current === null ? {} : { cursor: cursor.current }),
      onProgress: (progress) => {
        cursor.current = progress.cursor;
        made.current = before + progress.sent;
        // Between steps, so that no step's answer is lost.
        signal.throwIfAborted();
      },
    });
  }

  /** Waits until no more are on their way than at the beginning. There may never be none, because new ones come. */
  async function follow(isAllMade: () => boolean, signal: AbortSignal): Promise<Left> {
    const usual = count.data?.sending ?? 0;
    // Some of the waiting deliveries may have been sent by themselves meanwhile.
    const all = steps.takeBack === undefined ? 0 : (count.data?.count ?? 0);
    for (;;) {
      const isLast = isAllMade();
      // A look may not count the deliveries that were made due while it was under way.
      const madeBefore = made.current;
      const left = await steps.look();
      const isOver = isLast && left.sending <= usual;
      const now = isOver ? Math.max(all, made.current) : Math.max(0, madeBefore - left.sending);
      setLooks((before) => [
        ...before.slice(-LOOKS),
        { atMs: performance.now(), done: Math.max(now, before.at(-1)?.done ?? 0) },
      ]);
      if (isOver) return left;
      await pause(LOOK_EVERY_MS, signal);
    }
  }

  const run = useMutation({
    mutationFn: async (range: Range): Promise<Left> => {
      const ending = new AbortController();
      stopping.current = ending;
      let isAllMade = false;
      const making = make(range, ending.signal).then(() => {
        isAllMade = true;
      });
      making.catch((error: unknown) => ending.abort(error));
      const [, followed] = await Promise.allSettled([
        making,
        follow(() => isAllMade, ending.signal),
      ]);
      if (followed.status === "fulfilled") return followed.value;
      if (followed.reason instanceof StoppedError && steps.takeBack !== undefined) {
        made.current -= (await steps.takeBack()).stopped;
        cursor.current = null;
        setLooks([{ atMs: performance.now(), done: made.current }]);
      }
      throw followed.reason;
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keys.deliveries() });
      void queries.invalidateQueries({ queryKey: keys.webhooks() });
    },
  });

  return {
    count,
    run,
    /** How many were sent. */
    done,
    perSecond: rateOf(looks),
    /** How many wait for a later attempt at the end; undefined before. */
    waiting: run.data?.count,
    stop: () => stopping.current?.abort(new StoppedError()),
    wasStopped: run.error instanceof StoppedError,
    reset: () => {
      cursor.current = null;
      made.current = 0;
      setLooks([]);
      count.reset();
      run.reset();
    },
  };
}

/** The parts of `useSteps` that its views need, whatever the range. */
export type StepsControl = Omit<ReturnType<typeof useSteps<never>>, "count" | "run"> & {
  run: Pick<UseMutationResult<Left>, "isPending" | "isSuccess" | "error">;
};

/** Null while it is not known. */
function rateOf(looks: readonly Look[]): number | null {
  const [first, last] = [looks.at(0), looks.at(-1)];
  if (first === undefined || last === undefined || last.atMs === first.atMs) return null;
  return ((last.done - first.done) * 1000) / (last.atMs - first.atMs);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      // A StoppedError, or the error of a step.
      reject(signal.reason as Error);
    });
  });
}

class StoppedError extends Error {
  override readonly name = "StoppedError";
}

/** Sends now what a webhook has waiting for a later attempt. */
export function useSendWaiting(webhookId: string) {
  const { client } = useSession();
  return useSteps<null>({
    count: async () => await client.sendWaiting.count(webhookId),
    run: async (_range, options) => await client.sendWaiting.run(webhookId, options),
    look: async () => await client.sendWaiting.count(webhookId),
    takeBack: async () => await client.sendWaiting.stop(webhookId),
  });
}
