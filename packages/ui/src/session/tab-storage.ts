import { serviceRoot } from "./page-location.ts";

const inMemory = new Map<string, string>();

/** Two services may stand under one origin, each with a prefix of its own. */
function fullName(name: string): string {
  return `markethook:${serviceRoot()}:${name}`;
}

/** Values that this tab keeps over a reload. Some browsers refuse that, mostly in frames: then until the page is closed. */
export const tabStorage = {
  read(name: string): string | null {
    try {
      return globalThis.sessionStorage.getItem(fullName(name)) ?? inMemory.get(name) ?? null;
    } catch {
      return inMemory.get(name) ?? null;
    }
  },

  /** The JSON value that was written; null: there is none, or it is not JSON. */
  readJson(name: string): unknown {
    try {
      return JSON.parse(tabStorage.read(name) ?? "null");
    } catch {
      return null;
    }
  },

  /** True if it outlives the page. */
  write(name: string, value: string): boolean {
    try {
      globalThis.sessionStorage.setItem(fullName(name), value);
      inMemory.delete(name);
      return true;
    } catch {
      inMemory.set(name, value);
      return false;
    }
  },

  remove(name: string): void {
    inMemory.delete(name);
    try {
      globalThis.sessionStorage.removeItem(fullName(name));
    } catch {
      // Then nothing is there either.
    }
  },
};
