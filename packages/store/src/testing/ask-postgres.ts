import { Client } from "pg";

/** The rows of one statement, as somebody asks who has got hold of the database. */
export async function askPostgres(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
