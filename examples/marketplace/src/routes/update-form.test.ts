import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test, type TestContext } from "node:test";
import { createApp } from "../create-app.ts";
import { createOutbox } from "../outbox.ts";
import { createFakeMarkethook } from "../testing/fake-markethook.ts";
import { NOW, openTestShop } from "../testing/test-shop.ts";

const FIELDS = {
  version: "1.2",
  branch: "snapshot",
  title: "Moat",
  description: "Now\r\nwith water.",
};

async function openUpdates(t: TestContext) {
  const shop = openTestShop(t);
  const markethook = createFakeMarkethook();
  const outbox = createOutbox(shop, 1_000_000);
  const context = { shop, outbox, markethook: () => markethook, mayEmbed: () => true };
  const app = await createApp(context);
  outbox.connect(markethook);
  t.after(async () => {
    await app.close();
    await outbox.stop();
  });
  const folder = dirname(shop.pathOf("x"));
  return {
    app,
    shop,
    markethook,
    storedFiles: () => readdirSync(folder).length,
    async send(fields: Record<string, string>, file: File | null) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      if (file !== null) form.set("file", file);
      const request = new Request("http://market.example", { method: "POST", body: form });
      const answer = await app.inject({
        method: "POST",
        url: "/resource/sample-plugin/update",
        headers: { "content-type": request.headers.get("content-type") ?? "" },
        payload: Buffer.from(await request.arrayBuffer()),
      });
      return { status: answer.statusCode, body: answer.body };
    },
  };
}

test("a posted update has the size and type of its file, and tells what was before", async (t) => {
  const { shop, markethook, send } = await openUpdates(t);
  const before = shop.findResource("sample-plugin")?.versions.at(-1);
  const content = Buffer.alloc(70_000, "größe");
  assert.equal((await send(FIELDS, new File([content], "Castle.Final.ZIP"))).status, 303);
  const [report] = markethook.reports;
  const posted = shop.findResource("sample-plugin")?.versions.at(-1);
  assert.equal(report?.key, posted?.id);
  assert.deepEqual(report?.event, {
    event: "product.update",
    occurredAt: NOW,
    previous: {
      version: "1.1",
      id: before?.id,
      time: before?.time,
      size: before?.size,
      fileType: "lua",
      branch: "release",
    },
    update: {
      version: "1.2",
      id: posted?.id,
      time: NOW,
      size: 70_000,
      fileType: "zip",
      branch: "snapshot",
      title: "Moat",
      description: "Now\nwith water.",
    },
    resource: {
      title: "Sample Plugin",
      subtitle: "Thing to try Markethook with",
      ownerId: "sample-owner",
    },
  });
  assert.deepEqual(readFileSync(shop.pathOf(posted?.id ?? "")), content);
});

test("a file without an extension is called bin, and an empty file is a file", async (t) => {
  const { markethook, send } = await openUpdates(t);
  assert.equal((await send(FIELDS, new File([], "README"))).status, 303);
  const event = markethook.reports[0]?.event;
  assert.ok(event?.event === "product.update");
  assert.deepEqual([event.update.fileType, event.update.size], ["bin", 0]);
});

test("a form that is not complete is shown again with what was typed, and its file is not kept", async (t) => {
  const { markethook, send, storedFiles } = await openUpdates(t);
  const file = new File(["x"], "x.zip");
  const before = storedFiles();
  const faulty: [Record<string, string>, File | null, RegExp][] = [
    [{ ...FIELDS, version: " " }, file, /Give the version a name/],
    [{ ...FIELDS, title: "" }, file, /Give the update a title/],
    [{ ...FIELDS, branch: "main" }, file, /Choose a branch/],
    [FIELDS, null, /Choose a file/],
    [FIELDS, new File([], ""), /Choose a file/],
    [{ ...FIELDS, version: "1".repeat(101) }, file, /version is 101 characters long/],
  ];
  for (const [fields, sent, sentence] of faulty) {
    const { status, body } = await send(fields, sent);
    assert.equal(status, 422);
    assert.match(body, sentence);
    assert.match(body, /with water\./);
  }
  assert.equal(storedFiles(), before);
  assert.deepEqual(markethook.reports, []);
});

test("a form that breaks off, or is of another kind, is refused as the sender's fault", async (t) => {
  const { app, markethook, storedFiles } = await openUpdates(t);
  const before = storedFiles();
  const file = 'content-disposition: form-data; name="file"; filename="a.zip"';
  const forms: [type: string, body: string, status: number][] = [
    ["multipart/form-data", "x", 422],
    ["multipart/form-data; boundary=a", "x", 422],
    ["multipart/form-data; boundary=a", `--a\r\n${file}\r\n\r\nhalf of`, 422],
    ["application/x-www-form-urlencoded", "version=1", 422],
    ["application/json", "{bad", 400],
    ["text/xml", "<a/>", 415],
  ];
  for (const [type, payload, status] of forms) {
    const answer = await app.inject({
      method: "POST",
      url: "/resource/sample-plugin/update",
      headers: { "content-type": type },
      payload,
    });
    assert.equal(answer.statusCode, status, `${type}: ${payload}`);
  }
  assert.equal(storedFiles(), before);
  assert.deepEqual(markethook.reports, []);
});
