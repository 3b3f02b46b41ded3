import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { deliveryId, instant, makeRandomId } from "@markethook/protocol";
import type { AuditActor, AuditFilter, AuditRow } from "../port/audit.ts";
import { importedWebhook } from "./imports.ts";
import { only } from "./checks.ts";
import { each, itemsOf, newest } from "./lists.ts";
import { allOf, event } from "./reports.ts";
import { DEAD, retried, RULE, settled } from "./settlements.ts";
import type { World } from "./world.ts";

const KEY: AuditActor = { kind: "api_key", id: "key_1", name: "shop backend", requestId: "req_1" };
const OLD = "old-secret-old-secret-old-secret-old-secret-old!";
const NEW = "bmV3LXNlY3JldC1uZXctc2VjcmV0LW5ldy1zZWNyZXQtbmV3";

export function testAudit(w: World): void {
  test("a webhook's instance stands in it: who, what, before and after, and no secret", async () => {
    const shop = await w.resource();
    const { webhooks } = w.store.actingAs(KEY);
    const id = makeRandomId("wh_", randomBytes);
    const url = "https://receiver.example/a";
    const given = { id, resourceId: shop.id, url, events: null, description: "", secret: OLD };
    await webhooks.create({ ...given, format: "json" }, null);
    await webhooks.change(id, null, { url: "https://receiver.example/b" });
    await webhooks.change(id, null, { url: "https://receiver.example/b" });
    await webhooks.change(id, null, { url: "https://other.example/b" });
    await webhooks.pause(id, null);
    await webhooks.resume(id, null, "send");
    await webhooks.rotate(id, null, { secret: NEW, mode: "overlap", overlapSeconds: 60 });
    await webhooks.switchSecret(id, null);
    await webhooks.revealSecrets(id, null);
    await w.store.webhooks.revealSecrets(id, null);
    assert.equal(await webhooks.revealUrl(id, null), "https://other.example/b");
    assert.equal(await w.store.webhooks.revealUrl(id, null), "https://other.example/b");
    const other = await w.resource(shop.ownerId);
    const copy = makeRandomId("wh_", randomBytes);
    await webhooks.copy(id, null, { id: copy, resourceId: other.id, secret: NEW });
    await webhooks.delete(id, null);
    const rows = await list(w, { subjectId: id });
    assert.deepEqual(each(rows, "action"), [
      "webhook.create",
      "webhook.change",
      "webhook.change",
      "webhook.pause",
      "webhook.resume",
      "secret.rotate",
      "secret.switch",
      "secret.reveal",
      "url.reveal",
      "webhook.delete",
    ]);
    for (const row of rows) {
      assert.deepEqual([row.actor, row.ownerId, row.resourceId], [KEY, shop.ownerId, shop.id]);
    }
    // The path is not told: that it is another one is.
    assert.deepEqual([rows[1]?.before, rows[1]?.after], [{}, { address: "changed" }]);
    assert.deepEqual(
      [rows[2]?.before, rows[2]?.after],
      [{ url: "https://receiver.example/…" }, { url: "https://other.example/…" }],
    );
    assert.equal(rows[5]?.after?.["nextSecret"], "changed");
    assert.equal(rows[6]?.after?.["secret"], "changed");
    assert.equal(only(await list(w, { subjectId: copy })).after?.["copiedFrom"], id);
    const stored = JSON.stringify(await w.harness.rows("audit"));
    assert.ok(!stored.includes(OLD) && !stored.includes(NEW));
  });

  test("that a webhook's requests carry details from now on is recorded, with what was before", async () => {
    const { webhooks } = w.store.actingAs(KEY);
    const { id } = (await w.shop()).hook;
    await webhooks.change(id, null, { includeDetails: true });
    const row = (await list(w, { subjectId: id })).at(-1);
    assert.deepEqual(
      [row?.before, row?.after],
      [{ includeDetails: false }, { includeDetails: true }],
    );
  });

  test("resuming a webhook with a dropped backlog is recorded, although it stays paused at first", async () => {
    const { webhooks } = w.store.actingAs(KEY);
    const [hook] = (await w.shop()).hooks;
    const id = hook?.id ?? "";
    await webhooks.pause(id, null);
    await webhooks.resume(id, null, "drop");
    const rows = await list(w, { subjectId: id });
    const { action, actor, after } = rows.at(-1) ?? {};
    assert.deepEqual([action, actor, after], ["webhook.resume", KEY, { held: "dropped" }]);
  });

  test("keys, sessions, resources, redeliveries and imports leave rows; what changed nothing leaves none", async () => {
    const acting = w.store.actingAs(KEY);
    const before = (await list(w, {})).at(-1)?.no ?? 0;
    const resource = { id: w.name("r"), ownerId: w.name("o"), title: "T", subtitle: "" };
    await acting.resources.put([resource]);
    await acting.resources.put([resource]);
    await acting.resources.put([{ ...resource, title: "T2" }]);
    await acting.resources.put([resource, { ...resource, id: w.name("r") }]);
    const [session, code, token] = [w.name("ps"), w.name("code"), w.name("token")];
    await acting.portalSessions.create({
      id: session,
      ownerId: resource.ownerId,
      resourceId: resource.id,
      returnUrl: null,
      revealsSecrets: true,
      codeHash: code,
      codeLifetimeMs: 60_000,
      lifetimeMs: 60_000,
      longestMs: 120_000,
    });
    await acting.portalSessions.exchange(code, token);
    await acting.portalSessions.exchange(code, token);
    await acting.portalSessions.revoke(session);
    const key = w.name("key");
    await acting.apiKeys.create({ id: key, name: "n", scopes: [], hash: key, expiresAt: null });
    await acting.apiKeys.revoke(key, true);
    await acting.apiKeys.revoke(key, true);
    const hook = await w.webhook(resource.id);
    const instanceNo = await w.instanceNo();
    const delivery = await w.acceptOne(
      resource.id,
      instanceNo,
      event(resource.id, "purchase", w.user()),
    );
    await w.deliver(instanceNo, [delivery]);
    await acting.log.redeliver(deliveryId(delivery), null, false);
    const [again] = await w.claimAll(instanceNo);
    assert.ok(again !== undefined);
    await w.settle(instanceNo, [retried(again, 60_000)]);
    await acting.log.sendWaitingStep(hook.id, null, null, 10);
    await acting.log.sendWaitingStep(hook.id, null, null, 10);
    await acting.log.stopWaitingStep(hook.id, null, 10);
    await acting.log.sendNow(deliveryId(again), null);
    const replay = allOf(hook.id);
    await acting.log.replayStep({ ...replay, states: ["delivered"] }, 0, 10);
    await acting.imports.run([{ kind: "resource", ...resource, id: w.name("r") }], {
      dryRun: true,
    });
    await acting.imports.run([{ kind: "resource", ...resource, id: w.name("r") }], {
      dryRun: false,
    });
    await acting.resources.delete(resource.id);
    // Who opens a link acts as the session.
    const actors = new Set(["key_1", session]);
    const rows = (await list(w, {})).filter(
      (row) => row.no > before && actors.has(row.actor.id ?? ""),
    );
    assert.deepEqual(each(rows, "action"), [
      "resource.create",
      "resource.change",
      "portal_session.create",
      "portal_session.open",
      "portal_session.revoke",
      "api_key.create",
      "api_key.revoke",
      "delivery.redeliver",
      "webhook.send_waiting",
      "webhook.stop_waiting",
      "delivery.send_now",
      "webhook.replay",
      "import.run",
      "resource.delete",
    ]);
    const replayed = rows.find(({ action }) => action === "webhook.replay");
    assert.deepEqual(
      replayed?.after,
      { from: instant(replay.from), to: instant(replay.to), states: ["delivered"] },
      "times are written as everywhere in the log",
    );
  });

  test("an import that writes over a webhook says so to its owner, and in the log", async () => {
    const shop = await w.resource();
    const { imports } = w.store.actingAs(KEY);
    const record = importedWebhook(shop.id, { importId: w.name("import"), secret: OLD });
    const { newId } = record;
    const [first, second] = ["https://a.example/", "https://b.example/"];
    for (const change of [{ url: first }, { url: second }, { url: second, secret: NEW }]) {
      await imports.run([{ ...record, ...change }], { dryRun: false });
    }
    const kinds = (await w.notices(shop.ownerId)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["webhook_url_changed", "webhook_secret_changed"]);
    assert.deepEqual(each(await list(w, { subjectId: newId }), "after"), [
      { url: "https://b.example/" },
      { secret: "changed" },
    ]);
  });

  test("a webhook that the service disables is its own doing", async () => {
    const { instanceNo, shop, delivery } = await w.leasedOne();
    const gone = await w.gone(delivery.webhookNo);
    await w.store.deliveries.settle(
      instanceNo,
      [settled(delivery, DEAD, { status: 410 }, gone)],
      RULE,
    );
    const { hook } = shop;
    const [row] = await list(w, { subjectId: hook.id, action: "webhook.disable" });
    assert.equal(row?.actor.kind, "system");
    assert.deepEqual(row.after, { state: "disabled", disabledReason: "gone" });
    assert.equal((await verify(w)).broken, null);
  });

  test("filters narrow the list, pages go on where they ended", async () => {
    const [mine, other] = [await w.shop(2), await w.shop(1)];
    const own = await list(w, { ownerId: mine.ownerId });
    assert.deepEqual(new Set(own.map((row) => row.ownerId)), new Set([mine.ownerId]));
    assert.equal((await list(w, { ownerId: mine.ownerId, resourceId: other.id })).length, 0);
    assert.equal((await list(w, { ownerId: mine.ownerId, subjectKinds: ["webhook"] })).length, 2);
    assert.deepEqual(
      each(await list(w, { ownerId: mine.ownerId, withoutKind: "webhook" }), "action"),
      ["resource.create"],
    );
    const paged = await itemsOf((beforeSeq) =>
      w.store.audit.list({ ownerId: mine.ownerId }, { beforeSeq, limit: 1 }),
    );
    assert.deepEqual(each(paged, "no"), own.map((row) => row.no).reverse());
    const { at } = own[0] ?? { at: 0 };
    assert.equal((await list(w, { ownerId: mine.ownerId, to: at })).length, 0);
    assert.equal((await list(w, { ownerId: mine.ownerId, from: at })).length, own.length);
  });

  test("a filtered page looks through a bounded number of rows, and the next goes on from there", async () => {
    const mine = await w.shop(2);
    const [seller, other] = [only(mine.hooks.slice(1)), await w.resource()];
    await w.store.webhooks.pause(seller.id, null);
    for (let i = 0; i < 12; i += 1) {
      await w.store.resources.put([{ ...other, title: `T${i}`, subtitle: "" }]);
    }
    for (let i = 0; i < 7; i += 1) {
      await w.store.webhooks.change(seller.id, null, { description: `d${i}` });
    }
    const pages = async (filter: Partial<AuditFilter>): Promise<[number[], string[]]> => {
      const [found, actions]: [number[], string[]] = [[], []];
      let beforeSeq: number | null = null;
      do {
        const at = { beforeSeq, limit: 10, examined: 5 };
        const page = await w.store.audit.list({ ownerId: null, ...filter }, at);
        assert.ok(page.nextSeq === null || beforeSeq === null || page.nextSeq < beforeSeq);
        found.push(page.items.length);
        actions.push(...page.items.map(({ action }) => action));
        beforeSeq = page.nextSeq;
      } while (beforeSeq !== null && actions.length === 0);
      return [found, actions];
    };
    const { id: subjectId } = seller;
    const pause = { action: "webhook.pause" } as const;
    assert.deepEqual(await pages({ ...pause, resourceId: mine.id }), [
      [0, 0, 0, 1],
      ["webhook.pause"],
    ]);
    assert.deepEqual(await pages({ ...pause, ownerId: mine.ownerId }), [[0, 1], ["webhook.pause"]]);
    assert.deepEqual(await pages({ ...pause, subjectId }), [[0, 1], ["webhook.pause"]]);
    assert.equal((await list(w, { ...pause, resourceId: mine.id })).length, 1);
  });

  test("many who change things at once make one chain without gaps", async () => {
    const shops = await Promise.all(Array.from({ length: 8 }, async () => await w.shop()));
    await Promise.all(
      shops.flatMap(({ hooks }) =>
        hooks.flatMap(({ id }) => [
          w.store.webhooks.change(id, null, { description: "a" }),
          w.store.resources.put([
            { id: w.name("r"), ownerId: w.name("o"), title: "T", subtitle: "" },
          ]),
        ]),
      ),
    );
    const checked = await verify(w);
    assert.equal(checked.broken, null);
    assert.equal(checked.rows, checked.head.no);
  });

  test("no row can be changed or deleted by a statement", async () => {
    await w.shop();
    for (const sql of ["update audit set action = 'x'", "delete from audit where no = 1"])
      await assert.rejects(w.harness.tamper(sql), /never/);
  });

  test("anyone who gets around that is found out, whichever row and column it is, and the end too", async () => {
    await w.shop(3);
    const drop =
      w.store.kind === "sqlite"
        ? "drop trigger audit_no_update; drop trigger audit_no_delete;"
        : "alter table audit disable trigger all;";
    await w.harness.tamper(drop);
    const rows = await w.harness.rows("audit");
    const picked = [rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)].map((row) =>
      Number(row?.["no"]),
    );
    for (const no of picked) {
      for (const column of ["actor_name", "action", "owner_id", "became", "hash"]) {
        const text = `(select ${column} from audit where no = ${no})`;
        await w.harness.tamper(
          `create table kept as select ${column} as v from audit where no = ${no};
           update audit set ${column} = coalesce(${text}, '') || 'x' where no = ${no};`,
        );
        assert.equal((await verify(w)).broken?.no, no, `${column} of row ${no}`);
        await w.harness.tamper(
          `update audit set ${column} = (select v from kept) where no = ${no}; drop table kept;`,
        );
        assert.equal((await verify(w)).broken, null);
      }
      await w.harness.tamper(
        `create table kept as select * from audit where no = ${no}; delete from audit where no = ${no};`,
      );
      assert.equal((await verify(w)).broken?.no, no);
      await w.harness.tamper("insert into audit select * from kept; drop table kept;");
    }
    const last = picked[2] ?? 0;
    await w.harness.tamper(
      `delete from audit where no = ${last};
       update audit_head set no = ${last - 1}, hash = (select hash from audit where no = ${last - 1});`,
    );
    assert.match((await verify(w)).broken?.why ?? "", /taken away/);
  });
}

/** Oldest first. */
async function list(w: World, filter: Partial<AuditFilter>): Promise<AuditRow[]> {
  const page = newest(10_000);
  return (await w.store.audit.list({ ownerId: null, ...filter }, page)).items.toReversed();
}

async function verify(w: World) {
  let rows = 0;
  for (let after = 0; ;) {
    const step = await w.store.audit.verify(after, 7);
    rows += step.checked;
    if (step.nextNo === null) return { ...step, rows };
    after = step.nextNo;
  }
}
