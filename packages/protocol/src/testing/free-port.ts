import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below those that systems give to programs that ask for any port. Hundreds of servers and connections of tests do so while
 * a program starts that was told its port, and one of them would take it first.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** For a program that has to be told its port: one of 127.0.0.1 on which nobody listens at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const probe = createServer().listen(port, "127.0.0.1");
    try {
      await once(probe, "listening");
    } catch {
      continue;
    }
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
