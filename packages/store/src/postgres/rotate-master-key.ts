import { nullableText } from "../hot/rows.ts";
import type { Client, QueryResultRow } from "pg";
import {
  rotateMasterKey,
  type MasterKeyRotationDatabase,
  type MasterKeyRotationOptions,
  type MasterKeyRotationOutcome,
  ENCRYPTED_META,
  type EncryptedWebhook,
} from "../rotate-master-key.ts";
import { storeError } from "./connection.ts";
import { withClient } from "./direct-client.ts";
import { BEGIN_BRIEF } from "./session-settings.ts";

/** Encrypts everything in the database under the first master key, in small batches, while instances run. */
export async function rotatePostgresMasterKey(
  url: string,
  options: MasterKeyRotationOptions,
): Promise<MasterKeyRotationOutcome> {
  try {
    return await withClient(url, (client) => rotateMasterKey(open(client), options));
  } catch (error) {
    throw storeError(error);
  }
}

function open(client: Client): MasterKeyRotationDatabase {
  const rowsOf = async (text: string, values: unknown[] = []): Promise<QueryResultRow[]> =>
    (await client.query<QueryResultRow>(text, values)).rows;
  return {
    countWebhooks: async () =>
      Number((await rowsOf("select count(*) as n from webhooks"))[0]?.["n"]),
    instanceKeys: async () =>
      (await rowsOf("select key_ids from instances")).map((row) => nullableText(row["key_ids"])),
    batch: async (afterNo, limit, decide) =>
      await inTransaction(client, async () => {
        const rows = (
          await rowsOf(
            `select no, id, url, secret, next_secret from webhooks
             where no > $1 order by no limit $2 for no key update`,
            [afterNo, limit],
          )
        ).map(
          (row) => Object.assign(row, { no: Number(row["no"]) }) as unknown as EncryptedWebhook,
        ); // The columns just named.
        const again = rows.map(decide).filter((row) => row !== null);
        if (again.length > 0) {
          await client.query(
            `update webhooks w set url = i.url, secret = i.secret, next_secret = i.next_secret
             from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as i (no, url, secret, next_secret)
             where w.no = i.no`,
            [
              again.map((row) => row.no),
              again.map((row) => row.url),
              again.map((row) => row.secret),
              again.map((row) => row.next_secret),
            ],
          );
        }
        return rows.map((row) => row.no);
      }),
    meta: async (decide) =>
      await inTransaction(client, async () => {
        const text = "select value from meta where key = $1 for update";
        const [row] = await rowsOf(text, [ENCRYPTED_META]);
        const again = row === undefined ? null : decide(String(row["value"]));
        if (again !== null)
          await client.query("update meta set value = $1 where key = $2", [again, ENCRYPTED_META]);
      }),
  };
}

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query(BEGIN_BRIEF);
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}
