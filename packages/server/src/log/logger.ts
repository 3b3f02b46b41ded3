import { hostname } from "node:os";
import pino, { type DestinationStream, type Logger } from "pino";

/** As the list of instances, the logs and the operator page name this process. */
export const INSTANCE_NAME = `${hostname()}:${process.pid}`;

/** Lines that may wait for a slow terminal or pipe; more are dropped and counted. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** For the last lines before an exit. */
const FLUSH_MS = 1000;

export interface Logging {
  logger: Logger;
  /** Lines that were dropped because nobody read them. */
  dropped(): number;
  /** Resolves when all lines are written, or nobody reads them; before an exit. */
  flush(): Promise<void>;
}

/** JSON lines on standard output, bounded: a log that nobody reads must not fill the memory. */
export function createLogging(level: string): Logging {
  let dropped = 0;
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: 4096,
    maxLength: BUFFER_BYTES,
  });
  destination.on("drop", () => (dropped += 1));
  const flusher = setInterval(() => destination.flush(), 200);
  flusher.unref();
  const logger = pino(
    {
      level,
      base: { instance: INSTANCE_NAME },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ["secret", "*.secret", "authorization", "*.authorization"],
    },
    destination as DestinationStream,
  );
  return {
    logger,
    dropped: () => dropped,
    async flush() {
      clearInterval(flusher);
      // Not flushSync: where nobody reads any more, it tries for ever, and the process never ends.
      const tooLong = AbortSignal.timeout(FLUSH_MS);
      await new Promise<void>((resolve) => {
        tooLong.addEventListener("abort", () => resolve());
        destination.flush(() => resolve());
      });
    },
  };
}
