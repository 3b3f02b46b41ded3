import { parseArgs } from "node:util";
import { EVENT_NAMES } from "@markethook/protocol";
import { verify as verifyAwaiting } from "@markethook/receiver";
import { verify } from "@markethook/receiver/node";
import { signTestRequest } from "@markethook/receiver/testing";
import { importOnDemand } from "./on-demand/install.ts";

const HELP = `npm run bench:verify -- [options]

Compares the receiver library's verify with that of npm's standardwebhooks: one request of each event, verified again and
again, in turns of twenty, so that what the machine does meanwhile meets both. Ours checks both signatures of a request
and the payload's form, theirs one signature. Fetches standardwebhooks from npm once.

  --check   end with 1 where ours is not 1.2 times as fast
  --help`;

const GOAL = 1.2;
const ROUNDS = 3000;
/** The first are not counted: the compiler is still at work. */
const WARM_UP = 1000;
const TURN = 20;
const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";

interface StandardWebhooks {
  Webhook: new (secret: string) => {
    verify(body: Buffer, headers: Readonly<Record<string, string>>): unknown;
  };
}

const { values: options } = parseArgs({
  options: { check: { type: "boolean" }, help: { type: "boolean", short: "h" } },
});
if (options.help === true) {
  console.log(HELP);
  process.exit();
}

const { Webhook } = await importOnDemand<StandardWebhooks>("libraries", "standardwebhooks");
const theirs = new Webhook(SECRET);
const requests = EVENT_NAMES.map((event) => {
  const { body, headers } = signTestRequest({ event, secret: SECRET });
  // As it comes from a server: bytes.
  return { body, headers, bytes: Buffer.from(body) };
});
type Signed = (typeof requests)[number];

const contenders: Readonly<Record<string, (request: Signed) => unknown>> = {
  "@markethook/receiver/node": ({ body, headers }) => verify(body, headers, SECRET).ok,
  "@markethook/receiver": async ({ body, headers }) =>
    (await verifyAwaiting(body, headers, SECRET)).ok,
  // It throws where it refuses.
  standardwebhooks: ({ bytes, headers }) => theirs.verify(bytes, headers) !== undefined,
};
const turns = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));

for (let round = 0; round < ROUNDS; round += 1) {
  const request = requests[round % requests.length];
  if (request === undefined) continue;
  for (const [name, check] of Object.entries(contenders)) {
    const startedAt = performance.now();
    for (let count = 0; count < TURN; count += 1) {
      const result = check(request);
      const isRight = result instanceof Promise ? await (result as Promise<unknown>) : result;
      if (isRight !== true) throw new Error(`${name} refused a right request.`);
    }
    if (round >= WARM_UP) turns.get(name)?.push(((performance.now() - startedAt) * 1000) / TURN);
  }
}

const medians = new Map([...turns].map(([name, times]) => [name, median(times)]));
for (const [name, us] of medians) console.log(`${us.toFixed(1).padStart(6)} us  ${name}`);
const ratio =
  (medians.get("standardwebhooks") ?? 0) / (medians.get("@markethook/receiver/node") ?? 1);
console.log(`@markethook/receiver/node is ${ratio.toFixed(2)} times as fast as standardwebhooks.`);
if (options.check === true && ratio < GOAL) process.exitCode = 1;

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
