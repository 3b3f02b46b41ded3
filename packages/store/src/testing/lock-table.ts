import { Client } from "pg";

/** Locks a table as an outsider who alters it would: every statement on it waits until the answered function is called. */
export async function lockTable(
  url: string,
  table: "pending" | "events",
): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("begin");
  await client.query(`lock table ${table} in access exclusive mode`);
  return async () => {
    await client.query("rollback");
    await client.end();
  };
}
