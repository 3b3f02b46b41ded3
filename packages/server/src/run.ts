import { isMarkethookError } from "@markethook/protocol";
import type { Logging } from "./logger.ts";

/**
 * Runs until SIGTERM or SIGINT, then stops in order; a second signal ends at once.
 * Exit codes: 0 stopped in order, 1 ended by a second signal or by a fault, 2 could not start.
 */
export function stopOnSignals(stop: () => Promise<{ released: number }>, logging: Logging): void {
  let stopping = false;
  const end = (code: number): void => {
    process.exitCode = code;
    void logging.flush().finally(() => process.exit(code));
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) {
      end(1);
      return;
    }
    stopping = true;
    logging.logger.info({ signal }, "stopping");
    stop().then(
      ({ released }) => {
        logging.logger.info({ released }, "stopped");
        end(0);
      },
      (error: unknown) => {
        logging.logger.fatal({ error: String(error) }, "could not stop in order");
        end(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  // After a fault nobody caught, memory and promises disagree: others rescue what this process held.
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      logging.logger.fatal({ error: error instanceof Error ? error.stack : String(error) }, event);
      end(1);
    });
  }
}

/** A refusal to start, in words; the stack only for what nobody foresaw. */
export function explainStartFailure(error: unknown): string {
  if (isMarkethookError(error, "store_unavailable")) {
    return `markethook: ${error.detail.detail ?? ""} Check MARKETHOOK_DATABASE_URL, and that the server runs and can be reached. [${error.code}]`;
  }
  if (isMarkethookError(error)) return `markethook: ${error.message} [${error.code}]`;
  return `markethook: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
