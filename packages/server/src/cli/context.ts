import type { ExitCode } from "./exit-codes.ts";
import type { Host } from "./host.ts";
import type { Output } from "./output.ts";

export interface Context extends Host {
  out: Output;
  /** Set by a command that ran to its end without being able to say yes. */
  exitCode: ExitCode;
}
