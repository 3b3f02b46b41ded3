import type { Client, QueryConfig, QueryResult } from "pg";
import { ServerClient } from "./choose-server.ts";

/**
 * A connection that prepares each statement with parameters once, under a name, because planning a settlement takes as
 * long as running it. The statements are constants of this folder, so there are few. It does not work with a pooler
 * that moves server connections between transactions: a name may be unknown there.
 */
export class PreparedClient extends ServerClient {
  // One of the many overloads; the others pass through.
  override query = ((text: unknown, values?: unknown, ...rest: unknown[]): unknown => {
    const plain = super.query.bind(this) as (...parameters: unknown[]) => Promise<QueryResult>;
    if (typeof text === "string" && Array.isArray(values))
      return plain({ name: nameOf(text), text, values }, ...rest);
    return isStatement(text)
      ? plain({ ...text, name: nameOf(text.text) }, values, ...rest)
      : plain(text, values, ...rest);
  }) as Client["query"];
}

function isStatement(value: unknown): value is QueryConfig {
  return typeof value === "object" && value !== null && "text" in value && "values" in value;
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `mh_${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}
