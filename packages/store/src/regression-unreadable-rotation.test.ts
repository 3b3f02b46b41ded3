import assert from "node:assert/strict";
import { test } from "node:test";
import { createEncryption } from "./encryption.ts";
import { type EncryptedWebhook, rotateMasterKey } from "./rotate-master-key.ts";

const [LOST, OLD, NEW] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill)) as [
  Buffer,
  Buffer,
  Buffer,
]; // Of three.

test("a webhook that no key decrypts is named by a rotation, which goes on with all others", async () => {
  const row = (no: number, key: Buffer): EncryptedWebhook => {
    const [encryption, id] = [createEncryption([key]), `wh_${no}`];
    const url = encryption.encrypt("https://bot.example/", id);
    return { no, id, url, secret: encryption.encrypt("s", id), next_secret: null };
  };
  const rows = [row(1, OLD), row(2, LOST), row(3, OLD)];
  const changed: string[] = [];
  let asked = 0;
  const rotation = rotateMasterKey(
    {
      countWebhooks: async () => rows.length,
      instanceKeys: async () => [],
      batch: async (afterNo, limit, decide) => {
        const batch = rows.filter(({ no }) => no > afterNo).slice(0, limit);
        for (const one of batch) changed.push(decide(one)?.id ?? "none");
        return batch.map(({ no }) => no);
      },
      meta: async () => void (asked += 1),
    },
    { masterKeys: [NEW, OLD], dryRun: false, onProgress: () => undefined, pause: async () => {} },
  );
  await assert.rejects(rotation, {
    code: "master_key_missing",
    message: /^1 webhooks cannot be decrypted and stay as they are: wh_2\. The others are done: 2 /,
  });
  assert.deepEqual([changed, asked], [["wh_1", "none", "wh_3"], 1]);
});
