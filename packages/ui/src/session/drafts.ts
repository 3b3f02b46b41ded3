import { tabStorage } from "./tab-storage.ts";

/**
 * Unsaved input. It survives another part of the page, a reload and the end of a session. It belongs to the owner who
 * typed it, and is forgotten when the tab becomes another owner's.
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

/** Sets the owner of the drafts from now on. Drafts of other owners are forgotten. */
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
