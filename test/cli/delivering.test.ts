import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { client, markethook, service, useCommands } from "./use-commands.ts";

useCommands();

async function addWebhook(resource: string, url = service.receiverUrl): Promise<string> {
  await client.resources.put(resource, { title: resource, ownerId: "1001" });
  return (await client.webhooks.create(resource, { url })).id;
}

/** Ids of a webhook's deliveries, oldest first, once so many have been delivered. */
async function delivered(webhookId: string, count: number): Promise<string[]> {
  for (;;) {
    const list = await Array.fromAsync(client.deliveries.list({ webhookId, state: "delivered" }));
    if (list.length >= count) return list.map(({ id }) => id).toReversed();
    await pause(10);
  }
}

test("ping ends with 0 or 1 as the receiver answers, and tells why", async (t) => {
  const teapot = createServer(
    ({ url }, response) =>
      void (url === "/polite"
        ? response.end("invalid signature\u001b[2J")
        : response.writeHead(418).end("no\u001b[2J")),
  );
  const port = await listenOnLoopback(teapot);
  t.after(() => teapot.close().closeAllConnections());
  const good = await addWebhook("castle");
  const bad = await addWebhook("castle", `http://127.0.0.1:${port}/`);
  const polite = await addWebhook("castle", `http://127.0.0.1:${port}/polite`);
  const [yes, no, unknown, but] = await Promise.all([
    markethook.run(`ping ${good}`),
    markethook.run(`ping ${bad} --verbose`),
    markethook.run("ping wh_aaaaaaaaaaaaaaaaaaaa"),
    markethook.run(`ping ${polite}`),
  ]);
  assert.equal(yes.code, 0);
  assert.match(yes.stdout, /^204 {2}.*\n├─ to {7}http:\/\/127\.0\.0\.1:\d+\/…\n├─ took /);
  assert.equal(no.code, 1);
  assert.match(no.stdout, /X-Service-Signature: [0-9a-f]{64}\n[^]*└─ 418\n[^]*no\\u001b\[2J\n$/);
  assert.equal(unknown.code, 4);
  assert.equal(but.code, 0);
  assert.match(
    but.stdout,
    /^200 .*\n├─ replied {2}invalid signature\\u001b\[2J {2}\(reads like a refusal/,
  );
});

test("an event is reported once, however often, and shown with what was sent and answered", async () => {
  const webhook = await addWebhook("tower");
  const line = "emit tower product.user.purchase --user 4711 --idempotency-key order-1";
  const first = await markethook.json(line);
  assert.deepEqual([first["status"], first["deliveries"]], ["accepted", 1]);
  assert.equal(
    await markethook.done(line),
    `Reported before, as ${String(first["eventId"])}; nothing is sent twice.\n`,
  );
  const [id = ""] = await delivered(webhook, 1);
  const [shown, listed, filtered, update, incomplete] = await Promise.all([
    markethook.done(`deliveries show ${id}`),
    markethook.done(`deliveries list --webhook ${webhook} --user 4711 --from 2026-01-01T00:00:00Z`),
    markethook.run(`deliveries list --webhook ${webhook} --state dead`),
    markethook.run("emit tower product.update --update {}"),
    markethook.run("emit tower"),
  ]);
  assert.match(shown, new RegExp(`^${id} {2}product\\.user\\.purchase {2}delivered\n`));
  assert.match(shown, /└─ attempt 1 {2}.* 204 ok, /);
  assert.match(shown, /│ {2}\{"event":"product\.user\.purchase","time":\d+,"nonce":"[\w-]{16}"/);
  assert.match(listed, new RegExp(`\n${id} .* 4711 +tower +${webhook} +delivered +1 +204 ok\n$`));
  assert.deepEqual([filtered.code, filtered.stdout, filtered.stderr], [0, "", "There are none.\n"]);
  assert.equal(update.code, 4);
  assert.match(update.stderr, /\/update\/version: This field is required\.\n/);
  assert.equal(incomplete.code, 2);
});

test("deliveries are found by what they carry, and by the status of their last reply", async () => {
  const webhook = await addWebhook("moat");
  for (const orderId of ["88213", "99000"]) {
    await client.events.report("moat", {
      event: "product.user.purchase",
      user: { id: Number(orderId) },
      details: { orderId },
    });
  }
  const [first = "", second = ""] = await delivered(webhook, 2);
  const list = (how: string) => markethook.run(`deliveries list --webhook ${webhook} ${how}`);
  const [found, exact, whole, none, short, wrong] = await Promise.all([
    list("--search 88213"),
    list("--status 204"),
    list("--status 2xx"),
    list("--status 5xx"),
    list("--search 8"),
    list("--status 6xx"),
  ]);
  assert.match(found.stdout, new RegExp(`\\n${first} `));
  assert.doesNotMatch(found.stdout, new RegExp(second));
  for (const { stdout } of [exact, whole]) {
    assert.match(stdout, new RegExp(`\\n${second} .*\n${first} `));
  }
  assert.deepEqual([none.code, none.stderr], [0, "There are none.\n"]);
  assert.equal(short.code, 4);
  assert.match(short.stderr, /fewer than 2 characters.*\n  at search/);
  assert.equal(wrong.code, 2);
});

test("an older event is sent after a later one about the same buyer only when told so", async () => {
  const webhook = await addWebhook("bridge");
  const user = { user: { id: 7 } };
  await client.events.report("bridge", { event: "product.user.purchase", ...user });
  await client.events.report("bridge", { event: "product.user.purchaseRemoved", ...user });
  const [purchase = "", refund = ""] = await delivered(webhook, 2);
  const [asked, told, later] = await Promise.all([
    markethook.run(`redeliver ${purchase}`),
    markethook.run(`redeliver ${purchase} --yes`),
    markethook.run(`redeliver ${refund}`),
  ]);
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /Send this older one after it all the same\? .*--yes/);
  assert.equal(told.code, 0, told.stderr);
  assert.match(told.stdout, /^Sent again as dlv_\w+\.\n$/);
  assert.equal(later.code, 0, later.stderr);
});

test("a range is counted, and sent again only when told so", async () => {
  const webhook = await addWebhook("gate");
  const items = Array.from({ length: 30 }, (_, index) => ({
    resourceId: "gate",
    event: "product.user.purchase" as const,
    user: { id: index + 1 },
  }));
  await client.events.reportMany(items);
  await delivered(webhook, 30);
  const line = `replay ${webhook} --from 0 --to 4000000000`;
  const [none, counted, asked, backwards] = await Promise.all([
    markethook.run(line),
    markethook.json(`${line} --state delivered --dry-run`),
    markethook.run(`${line} --state delivered`),
    markethook.run(`replay ${webhook} --from 2 --to 1`),
  ]);
  assert.deepEqual([none.code, none.stdout], [0, "0 deliveries in that range.\n"]);
  assert.equal(counted["count"], 30);
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /Send 30 deliveries again\? .*--yes/);
  assert.equal(backwards.code, 4);
  const done = await markethook.run(`${line} --state delivered --yes`);
  assert.deepEqual([done.code, done.stdout], [0, "30 sent again.\n"]);
  assert.match(done.stderr, /^Sending again: 30 of 30\nAll are on their way\.\n$/);
  await delivered(webhook, 60);
});

test("notices are listed, and followed until Ctrl-C", async () => {
  await addWebhook("moat");
  await client.resources.put("moat", { title: "moat", ownerId: "1002" });
  const listed = await markethook.done("notices list --owner 1002");
  assert.match(listed, /^no +made .*\n\d+ +\S+ +owner_changed +1002 +moat /);
  const following = markethook.start("notices list --follow --json");
  await following.printed(/"kind":"owner_changed".*"ownerId":"1002"/);
  await client.resources.put("moat", { title: "moat", ownerId: "1003" });
  await following.printed(/"kind":"owner_changed".*"ownerId":"1003"/);
  following.signal("SIGINT");
  const { code, stderr } = await following.ended;
  assert.deepEqual([code, stderr], [130, ""]);
});

test("ping sends a sample of an event for a buyer, which stands in no log", async () => {
  const webhook = await addWebhook("castle");
  const [sent, alone, both] = await Promise.all([
    markethook.run(`ping ${webhook} --sample product.user.purchase --user 4711 --verbose`),
    markethook.run(`ping ${webhook} --user 4711`),
    markethook.run(`ping ${webhook} --sample product.update --next`),
  ]);
  assert.equal(sent.code, 0);
  assert.match(sent.stdout, /X-Service-Sample: 1\n[^]*"user":\{"id":4711\}/);
  assert.doesNotMatch(sent.stdout, /deliveries show/);
  assert.deepEqual([alone.code, both.code], [2, 2]);
  assert.deepEqual(await Array.fromAsync(client.deliveries.list({ webhookId: webhook })), []);
});

test("a ping that is refused is shown with the reply and what to do, also as a check's first request", async (t) => {
  const strict = createServer(
    (_, response) => void response.writeHead(401).end("no\u001b[2J signature\n"),
  );
  const port = await listenOnLoopback(strict);
  t.after(() => strict.close().closeAllConnections());
  const url = `http://127.0.0.1:${port}/`;
  const webhook = await addWebhook("castle", url);
  const outputs = await Promise.all([
    markethook.run(`ping ${webhook}`),
    markethook.run(`check ${webhook}`),
    markethook.run(`check ${url} --secret MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjU`),
  ]);
  for (const { code, stdout } of outputs) {
    assert.equal(code, 1);
    assert.match(
      stdout,
      /401 .*\n.*replied {2}no\\u001b\[2J signature\n.*`markethook verify --explain`/,
    );
  }
});

test("check ends with 0 where a receiver refuses forgeries, by the service and from this machine", async (t) => {
  const open = createServer((_, response) => void response.end("thanks\u001b[2J"));
  const port = await listenOnLoopback(open);
  t.after(() => open.close().closeAllConnections());
  const openUrl = `http://127.0.0.1:${port}/`;
  const secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjU";
  const bad = await addWebhook("castle", openUrl);
  const [byService, here, nowhere, without, both, nonsense] = await Promise.all([
    markethook.run(`check ${bad}`),
    markethook.run(`check ${openUrl} --secret ${secret} --json`),
    markethook.run(`check http://127.0.0.1:1/ --secret ${secret}`),
    markethook.run(`check ${openUrl}`),
    markethook.run(`check ${bad} --secret ${secret}`),
    markethook.run(`check nonsense --secret ${secret}`),
  ]);
  assert.equal(byService.code, 1);
  assert.match(byService.stdout, /^Cannot tell: .*\nReply 401 .*\n├─ 200 {2}The genuine ping: /);
  assert.match(byService.stdout, /WRONG {4}No signature at all\n[^]*replied {2}thanks\\u001b\[2J/);
  assert.equal(here.code, 1);
  const checkup = JSON.parse(here.stdout) as { verdict: string; probes: unknown[] };
  assert.deepEqual([checkup.verdict, checkup.probes.length], ["cannot_tell", 11]);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stdout, /did not accept the genuine ping[^]*Nothing listens there/);
  assert.deepEqual([without.code, both.code, nonsense.code], [2, 2, 2]);
  assert.match(without.stderr, /secret is missing/);
  assert.match(both.stderr, /--secret goes with a URL/);
  assert.match(nonsense.stderr, /nonsense/);

  const receiving = markethook.start(`receive --port 0 --secret ${secret}`);
  const [url] = await receiving.printed(/http:\/\/127\.0\.0\.1:\d+/);
  const good = await markethook.run(`check ${url}/ --secret ${secret}`);
  assert.match(good.stdout, /^Your server refuses forged requests\.\n/);
  assert.equal(good.code, 0);
  receiving.signal("SIGINT");
  await receiving.ended;
});
