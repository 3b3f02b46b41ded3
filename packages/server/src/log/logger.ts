import { hostname } from "node:os";
import pino, { type DestinationStream, type Logger } from "pino";

/** The name of this process in the list of instances, the logs and the operator page. */
export const INSTANCE_NAME = `${hostname()}:${process.pid}`;

/** How many lines may wait for a slow terminal or pipe; more are dropped. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** Time for the last lines before an exit. */
const FLUSH_MS = 1000;

export type Logging = ReturnType<typeof createLogging>;

/** JSON lines on standard output, bounded: a log without a reader must not fill the memory. */
export function createLogging(level: string) {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: 4096,
    maxLength: BUFFER_BYTES,
  });
  const flusher = setInterval(() => destination.flush(), 200);
  flusher.unref();
  const logger: Logger = pino(
    {
      level,
      base: { instance: INSTANCE_NAME },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ["secret", "*.secret", "authorization", "*.authorization"],
    },
    destination as DestinationStream,
  );
  outliveFaults(destination, logger);
  return {
    logger,
    /** For an exit: all lines are written, or their reader is gone. False: it is there, and does not read. */
    async flush(): Promise<boolean> {
      clearInterval(flusher);
      // Not flushSync: without a reader it tries for ever, and the process never ends.
      const tooLong = AbortSignal.timeout(FLUSH_MS);
      return await new Promise<boolean>((resolve) => {
        tooLong.addEventListener("abort", () => resolve(false));
        destination.flush(() => resolve(true));
      });
    },
  };
}

/**
 * A full disk under the log, or a terminal that is gone, must not end the service. Lines wait for as long as there is room,
 * and each line tries to write them. Without a listener the first fault would end the process. Once lines are written again,
 * one of them says how many found no room.
 */
function outliveFaults(destination: ReturnType<typeof pino.destination>, logger: Logger): void {
  let failing: { code: string; since: number } | null = null;
  let dropped = 0;
  destination.on("error", (error: Error & { code?: string }) => {
    failing ??= { code: error.code ?? error.message, since: performance.now() };
  });
  destination.on("drop", () => void (dropped += 1));
  destination.on("write", () => {
    if (dropped > 0) {
      const lines = dropped;
      dropped = 0;
      logger.warn({ lines }, "the log was not read or written, and these lines are missing");
      // There is no room for this one either.
      if (dropped > 0) dropped = lines;
    }
    if (failing === null) return;
    const { code, since } = failing;
    failing = null;
    const seconds = Math.round((performance.now() - since) / 1000);
    logger.warn({ code, seconds }, "the log could not be written, and lines may be missing");
  });
  // Called at the exit. While nothing can be written, it would try for ever.
  const flushSync = destination.flushSync.bind(destination);
  destination.flushSync = () => {
    if (failing === null) flushSync();
  };
}
