import type { Client, ClientConfig } from "pg";
import { ServerClient } from "./choose-server.ts";

/** Runs `work` on a connection of its own, outside of every pool. */
export async function withClient<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  limits: Pick<ClientConfig, "connectionTimeoutMillis" | "query_timeout"> = {},
): Promise<T> {
  const config = {
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: "markethook",
    ...limits,
  };
  const client = new ServerClient(config);
  // A connection that breaks fails its query too; an unhandled event would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Number of migrations of the database; null: it has no table for them. */
export async function storedVersion(client: Client): Promise<number | null> {
  const { rows: tables } = await client.query("select to_regclass('schema_version') as known");
  if (tables[0]?.["known"] === null) return null;
  const { rows } = await client.query(
    "select coalesce(max(version), 0) as version from schema_version",
  );
  return Number(rows[0]?.["version"]);
}

/** Schema with a service's tables, where the search path leads to none; null: there is none. */
export async function schemaElsewhere(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    `select relnamespace::regnamespace::text as name from pg_class
     where to_regclass('schema_version') is null and relname in ('schema_version', 'mh_numbers') and relkind in ('r', 'S')
     group by 1 having count(*) = 2`,
  );
  return rows[0]?.name ?? null;
}
