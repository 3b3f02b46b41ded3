import { EXIT, type ExitCode } from "@markethook/cli";
import { faultWords } from "../log/fault-words.ts";
import type { Logging } from "../log/logger.ts";
import type { Config } from "../settings/config-schema.ts";

/**
 * Ctrl-C under npm arrives twice: the terminal signals the whole process group, and npm forwards its own signal. A
 * signal this soon after the first one means the same stop in order, not an immediate end.
 */
export const SAME_SIGNAL_MS = 1000;

/**
 * Time that a stop may take besides its delay and the requests that are open. Where the database hangs, its work would go on
 * until a supervisor kills the service. It is not worth the wait: others take over its deliveries after eight seconds.
 */
const STOP_LIMIT_MS = 20_000;

/** The process; tests give another one. */
interface Surroundings {
  on(event: string, listener: (value: unknown) => void): unknown;
  exit(code: number): void;
  /** Ends the process at once. */
  kill(signal: "SIGTERM" | "SIGKILL"): void;
  now(): number;
}

const THIS_PROCESS: Surroundings = {
  on: (event, listener) => process.on(event, listener),
  exit: (code) => process.exit(code),
  kill(signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  },
  now: () => performance.now(),
};

/**
 * Runs until SIGTERM or SIGINT, then stops in order; a second signal, a second or more after the first, ends at once.
 * Exit codes: 0 stopped in order, 1 ended by a second signal, by a fault, or because the stop took too long. Where the
 * log's reader does not read, a signal stands for each: SIGTERM and SIGKILL.
 */
export function stopOnSignals(
  stop: () => Promise<{ released: number }>,
  logging: Logging,
  { stopDelay, attemptTimeout }: Pick<Config, "stopDelay" | "attemptTimeout">,
  surroundings: Surroundings = THIS_PROCESS,
): void {
  const limitMs = stopDelay + attemptTimeout + STOP_LIMIT_MS;
  let stoppingSince: number | null = null;
  const end = (code: ExitCode): void => {
    process.exitCode = code;
    void logging.flush().then((isWritten) => {
      if (isWritten) surroundings.exit(code);
      // An exit would wait for the reader of the log for ever. Supervisors take SIGTERM for a stop in order.
      else surroundings.kill(code === EXIT.done ? "SIGTERM" : "SIGKILL");
    });
  };
  const onSignal = (signal: unknown): void => {
    if (stoppingSince !== null) {
      if (surroundings.now() - stoppingSince >= SAME_SIGNAL_MS) end(EXIT.no);
      return;
    }
    stoppingSince = surroundings.now();
    logging.logger.info({ signal }, "stopping");
    setTimeout(() => {
      logging.logger.fatal(
        { error: `It took longer than ${limitMs / 1000} s, as when the database does not answer.` },
        "could not stop in order",
      );
      end(EXIT.no);
    }, limitMs);
    stop().then(
      ({ released }) => {
        logging.logger.info({ released }, "stopped");
        end(EXIT.done);
      },
      (error: unknown) => {
        logging.logger.fatal(faultWords(error), "could not stop in order");
        end(EXIT.no);
      },
    );
  };
  surroundings.on("SIGTERM", onSignal);
  surroundings.on("SIGINT", onSignal);
  // After an uncaught fault, memory and promises disagree; other instances rescue the deliveries of this process.
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    surroundings.on(event, (error) => {
      logging.logger.fatal({ error: error instanceof Error ? error.stack : String(error) }, event);
      end(EXIT.no);
    });
  }
}
