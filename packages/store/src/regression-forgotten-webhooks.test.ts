import assert from "node:assert/strict";
import { test } from "node:test";
import { createEncryption } from "./encryption.ts";
import { type EncryptedWebhook, rotateMasterKey } from "./rotate-master-key.ts";

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

test("a new master key leaves deleted webhooks, of which nothing is left to encrypt, as they are", async () => {
  const old = createEncryption([OLD]);
  const [url, secret] = [old.encrypt("https://bot.example/", "wh_2"), old.encrypt("s", "wh_2")];
  const rows: EncryptedWebhook[] = [
    { no: 1, id: "wh_1", url: "", secret: "", next_secret: null },
    { no: 2, id: "wh_2", url, secret, next_secret: null },
  ];
  const changed: string[] = [];
  const { examined, rotated } = await rotateMasterKey(
    {
      countWebhooks: async () => rows.length,
      instanceKeys: async () => [],
      batch: async (afterNo, limit, decide) => {
        const batch = rows.filter(({ no }) => no > afterNo).slice(0, limit);
        for (const row of batch) changed.push(decide(row)?.id ?? "none");
        return batch.map(({ no }) => no);
      },
      meta: async () => undefined,
    },
    { masterKeys: [NEW, OLD], dryRun: false, onProgress: () => undefined, pause: async () => {} },
  );
  assert.deepEqual([examined, rotated, changed], [2, 1, ["none", "wh_2"]]);
});
