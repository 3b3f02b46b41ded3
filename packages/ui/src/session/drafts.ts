import { tabStorage } from "./tab-storage.ts";

/**
 * What somebody has typed and not saved: another part of the page, a reload and the end of a session must not lose it.
 * It is the owner's who typed it, and gone as soon as the tab is another owner's.
 */
interface Drafts {
  ownerId: string;
  values: Record<string, unknown>;
}

const NAME = "drafts";

export function readDraft(name: string): unknown {
  const { values } = read();
  return Object.hasOwn(values, name) ? values[name] : null;
}

/** Null: there is nothing unsaved any more. */
export function keepDraft(name: string, value: unknown): void {
  const { ownerId, values } = read();
  if (value === null && !Object.hasOwn(values, name)) return;
  const { [name]: _before, ...rest } = values;
  const next = value === null ? rest : { ...rest, [name]: value };
  if (Object.keys(next).length === 0) tabStorage.remove(NAME);
  else tabStorage.write(NAME, JSON.stringify({ ownerId, values: next }));
}

/** Whose drafts are kept from now on. Those of anybody else are forgotten. */
export function draftsBelongTo(ownerId: string): void {
  if (read().ownerId !== ownerId) tabStorage.remove(NAME);
  owner = ownerId;
}

let owner = "";

function read(): Drafts {
  const found = tabStorage.readJson(NAME) as Drafts | null; // As it was written.
  // One that is not ours is as if it were not there.
  const isOurs = typeof found?.ownerId === "string" && typeof found.values === "object";
  return isOurs ? found : { ownerId: owner, values: {} };
}
