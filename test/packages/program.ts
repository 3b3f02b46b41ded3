/** A program of a user of both libraries, in each language and module system that they may have. */

const BODY = `
async function main() {
  const secret = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";
  let buyer = 0;
  const receive = createNodeHandler({
    secrets: secret,
    onEvent({ event }) {
      if (event.event === "product.user.purchase") buyer = event.payload.user.id;
    },
  });
  // One server plays the service, which posts what is reported to it on to the receiver, signed.
  const server = createServer((request, response) => {
    if (request.url === "/webhooks") return void receive(request, response);
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", async () => {
      const sent = signTestRequest({ event: JSON.parse(text).event, secret, url: base + "/webhooks" });
      const { status } = await fetch(sent.url, sent);
      response.writeHead(202, { "content-type": "application/json" });
      response.end(JSON.stringify({ status: "accepted", eventId: "evt_1", deliveries: status === 204 ? 1 : 0 }));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  const base = "http://127.0.0.1:" + server.address().port;

  const client = createClient({ baseUrl: base, apiKey: "mh_test" });
  const result = await client.events.report(
    "castle",
    { event: "product.user.purchase", user: { id: 4711 } },
    { idempotencyKey: "order-1" },
  );
  const request = signTestRequest({ event: "ping", secret });
  const handle = createFetchHandler({ secrets: secret, onEvent: () => undefined });
  const answer = await handle(new Request(request.url, request));
  const checks = [
    result.status === "accepted" && result.deliveries === 1,
    buyer === 4711,
    (await verify(request.body, request.headers, secret)).ok,
    verifyNow(request.body, request.headers, secret).ok,
    (await verify(request.body, request.headers, "another")).ok === false,
    (await explain(request.body, request.headers, secret + " ")).causes[0].code === "secret_blanks",
    answer.status === 204,
    typeof createExpressHandler === "function",
  ];
  server.close();
  console.log(checks.every(Boolean) ? "all is well" : JSON.stringify(checks));
  process.exit(0);
}
main();
`;

const IMPORTS: readonly (readonly [names: Readonly<Record<string, string>>, from: string])[] = [
  [{ createServer: "createServer" }, "node:http"],
  [{ createClient: "createClient" }, "@markethook/client"],
  [{ verify: "verify" }, "@markethook/receiver"],
  [{ verify: "explain" }, "@markethook/receiver/explain"],
  [{ createNodeHandler: "createNodeHandler", verify: "verifyNow" }, "@markethook/receiver/node"],
  [{ createExpressHandler: "createExpressHandler" }, "@markethook/receiver/express"],
  [{ createFetchHandler: "createFetchHandler" }, "@markethook/receiver/fetch"],
  [{ signTestRequest: "signTestRequest" }, "@markethook/receiver/testing"],
];

function imports(line: (names: string, from: string) => string, as: string): string {
  return IMPORTS.map(([names, from]) => {
    const list = Object.entries(names).map(([name, own]) =>
      name === own ? name : `${name}${as}${own}`,
    );
    return line(`{ ${list.join(", ")} }`, from);
  }).join("\n");
}

/** For program.mjs. */
export const ESM = `${imports((names, from) => `import ${names} from "${from}";`, " as ")}
const process = globalThis.process;
${BODY}`;

/** For program.cjs. */
export const COMMON_JS = `${imports((names, from) => `const ${names} = require("${from}");`, ": ")}
${BODY}`;

/** For a compiler: what must compile, and one line that must not. */
export const TYPESCRIPT = `import { createClient, type ReportResult } from "@markethook/client";
import { type EventEnvelope, verify, type VerifyResult } from "@markethook/receiver";
import { CAUSE_CODES } from "@markethook/receiver/explain";
import { createExpressHandler } from "@markethook/receiver/express";
import { createFetchHandler } from "@markethook/receiver/fetch";
import { createNodeHandler, verify as verifyNow } from "@markethook/receiver/node";
import { signTestRequest } from "@markethook/receiver/testing";

export const codes: readonly string[] = CAUSE_CODES;
export const handlers = [createExpressHandler, createFetchHandler, createNodeHandler];

export async function report(): Promise<ReportResult> {
  const client = createClient({ baseUrl: "https://hooks.market.example", apiKey: "mh_test" });
  return client.events.report("castle", { event: "product.user.purchase", user: { id: 1 } });
}

export function buyerOf(event: EventEnvelope): number | null {
  return event.event === "product.user.purchase" ? event.payload.user.id : null;
}

export async function check(secret: string): Promise<[VerifyResult, VerifyResult]> {
  const { body, headers } = signTestRequest({ event: "ping", secret });
  return [verifyNow(body, headers, secret), await verify(body, headers, secret)];
}

// @ts-expect-error -- a result that nobody waited for has no \`ok\`
export const forgotten = verify(new Uint8Array(), {}, "secret").ok;
`;
