import type { ReplayCount, ReplayOptions } from "@markethook/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { keys } from "../api/query-keys.ts";

interface Steps<Range> {
  count(range: Range): Promise<ReplayCount>;
  run(range: Range, options: ReplayOptions): Promise<{ sent: number }>;
}

/** Counts a range, then sends it step by step. Stopping leaves what was sent; going on is from where it stopped. */
export function useSteps<Range>(steps: Steps<Range>) {
  const queries = useQueryClient();
  const stopping = useRef<AbortController | null>(null);
  const cursor = useRef<string | null>(null);
  const before = useRef(0);
  const [sent, setSent] = useState(0);

  const count = useMutation({
    mutationFn: async (range: Range) => await steps.count(range),
  });
  const run = useMutation({
    mutationFn: async (range: Range) => {
      const ending = new AbortController();
      stopping.current = ending;
      before.current = sent;
      return await steps.run(range, {
        ...(cursor.current === null ? {} : { cursor: cursor.current }),
        onProgress: (progress) => {
          cursor.current = progress.cursor;
          setSent(before.current + progress.sent);
          // Between steps, so that no step's answer is lost.
          ending.signal.throwIfAborted();
        },
      });
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keys.deliveries() });
      void queries.invalidateQueries({ queryKey: keys.webhooks() });
    },
  });

  return {
    count,
    run,
    sent,
    stop: () => stopping.current?.abort(new StoppedError()),
    wasStopped: run.error instanceof StoppedError,
    reset: () => {
      cursor.current = null;
      setSent(0);
      count.reset();
      run.reset();
    },
  };
}

class StoppedError extends Error {
  override readonly name = "StoppedError";
}
