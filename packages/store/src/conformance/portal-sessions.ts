import assert from "node:assert/strict";
import { test } from "node:test";
import { only, refused } from "./checks.ts";
import { HOUR } from "./settlements.ts";
import type { World } from "./world.ts";

export function testPortalSessions(w: World): void {
  async function open(
    ownerId: string,
    resourceId: string | null = null,
    lifetimeMs = HOUR,
    revealsSecrets = true,
  ) {
    const codeHash = w.name("code");
    const session = await w.store.portalSessions.create({
      id: w.name("session"),
      ownerId,
      resourceId,
      returnUrl: null,
      revealsSecrets,
      codeHash,
      codeLifetimeMs: 300_000,
      lifetimeMs,
      longestMs: 3 * HOUR,
    });
    return { session, codeHash };
  }

  async function opened(ownerId: string, resourceId: string | null = null) {
    const { codeHash, session } = await open(ownerId, resourceId);
    const tokenHash = w.name("token");
    await w.store.portalSessions.exchange(codeHash, tokenHash);
    const isOpen = async (): Promise<boolean> => {
      const found = await w.store.portalSessions.findByToken(tokenHash);
      return found !== null;
    };
    return { id: session.id, tokenHash, isOpen };
  }

  test("a code is exchanged for a session once, and the session is found by its token's hash", async () => {
    const { portalSessions } = w.store;
    const { id: resourceId, ownerId } = await w.resource();
    const { session, codeHash } = await open(ownerId, resourceId);
    assert.equal(session.openedAt, null);
    assert.equal(session.expiresAt - session.createdAt, HOUR);
    const tokenHash = w.name("token");
    const found = await portalSessions.exchange(codeHash, tokenHash);
    assert.deepEqual([found?.id, found?.resourceId], [session.id, resourceId]);
    assert.notEqual(found?.openedAt, null);
    assert.equal(await portalSessions.exchange(codeHash, w.name("token")), null);
    assert.equal(await portalSessions.exchange("other", w.name("token")), null);
    assert.deepEqual(await portalSessions.findByToken(tokenHash), found);
    assert.equal(await portalSessions.findByToken("other"), null);
  });

  test("whether a session may see secrets is kept from the link to the token", async () => {
    const { portalSessions } = w.store;
    const ownerId = w.name("owner");
    for (const reveals of [true, false]) {
      const { session, codeHash } = await open(ownerId, null, HOUR, reveals);
      assert.equal(session.revealsSecrets, reveals);
      const tokenHash = w.name("token");
      assert.equal((await portalSessions.exchange(codeHash, tokenHash))?.revealsSecrets, reveals);
      assert.equal((await portalSessions.findByToken(tokenHash))?.revealsSecrets, reveals);
    }
  });

  test("of two who exchange one code at once, one gets the session", async () => {
    const { portalSessions } = w.store;
    const { codeHash } = await open("o");
    const tries = Array.from({ length: 8 }, () =>
      portalSessions.exchange(codeHash, w.name("token")),
    );
    const sessions = await Promise.all(tries);
    assert.equal(sessions.filter((session) => session !== null).length, 1);
  });

  test("a code is of use until its time is over, or its session is revoked", async () => {
    const { portalSessions } = w.store;
    const [late, revoked] = [await open("o"), await open("o")];
    assert.equal(await portalSessions.revoke(revoked.session.id), true);
    assert.equal(await portalSessions.exchange(revoked.codeHash, w.name("token")), null);
    await w.harness.advance(301_000);
    assert.equal(await portalSessions.exchange(late.codeHash, w.name("token")), null);
  });

  test("open sessions are listed for an owner or for all; revoked and expired ones are not open", async () => {
    const { portalSessions } = w.store;
    const [mine, other] = [w.name("owner"), w.name("owner")];
    const kept = (await open(mine)).session.id;
    const revoked = (await open(mine)).session.id;
    const theirs = (await open(other)).session.id;
    assert.equal(await portalSessions.revoke(revoked), true);
    assert.equal(await portalSessions.revoke(revoked), false);
    assert.equal(await portalSessions.revoke("absent"), false);
    const ids = async (ownerId: string | null) =>
      (await portalSessions.list({ ownerId, limit: 200 })).map(({ id }) => id);
    assert.deepEqual(await ids(mine), [kept]);
    const all = await ids(null);
    assert.ok(all.includes(kept) && all.includes(theirs) && !all.includes(revoked));
    assert.deepEqual(await portalSessions.stillOpen([kept, revoked, "absent"]), [kept]);
    assert.deepEqual(await portalSessions.stillOpen([]), []);
    await w.harness.advance(HOUR + 1000);
    assert.deepEqual(await ids(mine), []);
    assert.deepEqual(await portalSessions.stillOpen([kept]), []);
    assert.equal(await portalSessions.revoke(kept), false);
  });

  test("a session that has ended is not found by its token, whatever the clock of the machine that asks", async () => {
    const over = await opened(w.name("owner"));
    assert.equal(await over.isOpen(), true);
    await w.harness.advance(HOUR);
    assert.equal(await over.isOpen(), false);
    const revoked = await opened(w.name("owner"));
    assert.equal(await w.store.portalSessions.revoke(revoked.id), true);
    assert.equal(await revoked.isOpen(), false);
  });

  test("a session is bound to a resource of its owner only", async () => {
    const { id } = await w.resource();
    await refused(open(w.name("owner"), id), "resource_unknown");
    await refused(open("o", "absent"), "resource_unknown");
  });

  test("an owner change ends the old owner's sessions that reach the resource, and no others", async () => {
    const { resources } = w.store;
    const [old, next] = [w.name("owner"), w.name("owner")];
    const [moved, kept] = [await w.resource(old), await w.resource(old)];
    const [bound, unbound] = [await opened(old, moved.id), await opened(old)];
    const [elsewhere, theirs] = [await opened(old, kept.id), await opened(next)];
    const { codeHash } = await open(old, moved.id);
    await w.give(moved.id, next);
    const states = await Promise.all([bound, unbound, elsewhere, theirs].map((s) => s.isOpen()));
    assert.deepEqual(states, [false, false, true, true]);
    const { portalSessions } = w.store;
    assert.equal(await portalSessions.exchange(codeHash, w.name("token")), null);
    const again = { id: kept.id, ownerId: old, title: "Other", subtitle: "" };
    await resources.put([again]);
    assert.equal(await elsewhere.isOpen(), true);
  });

  test("a deleted resource's sessions end, its owner's others do not", async () => {
    const { id, ownerId } = await w.resource();
    const [bound, unbound] = [await opened(ownerId, id), await opened(ownerId)];
    await w.store.resources.delete(id);
    assert.deepEqual([await bound.isOpen(), await unbound.isOpen()], [false, true]);
  });

  test("a session in use is renewed by its lifetime, up to its end and not beyond", async () => {
    const { portalSessions } = w.store;
    const { session } = await open("o");
    const { id, createdAt } = session;
    assert.equal(session.renewableUntil, createdAt + 3 * HOUR);
    const renewed = async (): Promise<number> =>
      (await portalSessions.renew(id))?.expiresAt ?? assert.fail("it is not open");
    assert.equal(await renewed(), session.expiresAt, "nothing to gain yet");
    await w.harness.advance(HOUR / 2);
    const first = await renewed();
    assert.ok(first >= createdAt + 1.5 * HOUR);
    await w.harness.advance(HOUR / 2 + 1000);
    assert.deepEqual(await portalSessions.stillOpen([id]), [id]);
    for (let i = 0; i < 3; i += 1) {
      await renewed();
      await w.harness.advance(HOUR / 2);
    }
    assert.equal(await renewed(), createdAt + 3 * HOUR);
    assert.equal(await renewed(), createdAt + 3 * HOUR);
    await w.harness.advance(HOUR / 2);
    assert.equal(await portalSessions.renew(id), null);
    const { items: audited } = await w.store.audit.list(
      { ownerId: null, subjectId: id, action: "portal_session.renew" },
      { limit: 50, beforeSeq: null },
    );
    assert.ok(audited.length >= 3);
  });

  test("a session that was revoked or never was cannot be renewed", async () => {
    const { portalSessions } = w.store;
    const { session } = await open("o");
    await w.harness.advance(HOUR / 2);
    await portalSessions.revoke(session.id);
    assert.equal(await portalSessions.renew(session.id), null);
    assert.equal(await portalSessions.renew("absent"), null);
  });

  test("sessions that ended long ago are forgotten when another is made", async () => {
    const { session } = await open("o");
    await w.harness.advance(2 * HOUR + 1000);
    const next = await open("o");
    const rows = (await w.harness.rows("portal_sessions")).map((row) => row["id"]);
    assert.ok(!rows.includes(session.id));
    assert.equal(only(rows.filter((id) => id === next.session.id)), next.session.id);
  });
}
