import { EXIT, type Host, listedCommand, runProgram } from "@markethook/cli";
import { SERVICE_COMMANDS } from "./commands/service-commands.ts";
import { createInterruption } from "./process/interruption.ts";
import { VERSION } from "./version.ts";

const HELP = new Set(["help", "-h", "--help"]);
const argv = process.argv.slice(2);
const interruption = createInterruption();
const host: Host = {
  env: process.env,
  version: VERSION,
  argv,
  stdin: () => process.stdin,
  // Opened at first use: a pipe that is also opened here does not behave as the log's own buffer expects.
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  interrupt: () => interruption.take(),
  now: () => performance.now(),
};

// A service stops in order and logs through its own buffer; other commands end like any tool in a pipe.
const service =
  listedCommand(argv, SERVICE_COMMANDS)?.service === true && !argv.some((word) => HELP.has(word));
if (!service) {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader of our output, such as `head`, has read enough.
    if (error.code === "EPIPE") process.exit(EXIT.done);
    process.stderr.write(`markethook: Standard output cannot be written: ${error.message}.\n`);
    process.exit(EXIT.usage);
  });
  process.stderr.on("error", () => undefined);
}

const code = await runProgram(host, SERVICE_COMMANDS);
const interrupted = interruption.exitCode();
if (interrupted !== null) process.exitCode = interrupted;
else if (service && code !== EXIT.done) process.exit(code);
else if (!service) process.exitCode = code;
