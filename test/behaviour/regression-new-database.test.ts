/** With a key of its own a service that began on the wrong folder said nothing, and knew no resource. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeApiKey } from "@markethook/api/tokens";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

for (const open of [sqlitePlace, postgresPlace]) {
  test(`${open === sqlitePlace ? "SQLite" : "PostgreSQL"}: a start says where its database is, and whether it is new`, async (t) => {
    const place = await open();
    t.after(() => place.drop());
    const env = { ...place.env, MARKETHOOK_API_KEY: makeApiKey(randomBytes) };
    const says = async (): Promise<{ database: unknown; isNew: boolean }> => {
      const service = await startServiceProcess(env);
      service.signal("SIGTERM");
      assert.equal(await service.exited, 0);
      const line = (what: RegExp) => service.log.find(({ msg }) => what.test(String(msg)));
      const { database } = line(/^listening$/) ?? {};
      return {
        database,
        isNew: line(/^this database is new: .*MARKETHOOK_DATA_DIR/) !== undefined,
      };
    };
    const first = await says();
    assert.match(String(first.database), /^(SQLite in \/|PostgreSQL at .*\/)/);
    assert.equal(first.isNew, true);
    assert.deepEqual(await says(), { ...first, isNew: false });
  });
}
