import pino, { type DestinationStream, type Logger } from "pino";

/** Lines that may wait for a slow terminal or pipe; more are dropped and counted. */
const BUFFER_BYTES = 4 * 1024 * 1024;

export interface Logging {
  logger: Logger;
  /** Lines that were dropped because nobody read them. */
  dropped(): number;
  flush(): void;
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
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ["secret", "*.secret", "authorization", "*.authorization"],
    },
    destination as DestinationStream,
  );
  return {
    logger,
    dropped: () => dropped,
    flush() {
      clearInterval(flusher);
      try {
        destination.flushSync();
      } catch {
        // It was never opened: there is nothing to flush.
      }
    },
  };
}
