export interface Owner {
  kind: "owner";
  id: string;
  name: string;
}

export interface Buyer {
  kind: "buyer";
  /** An integer, as receivers get it. */
  id: number;
  name: string;
}

export type Person = Owner | Buyer;

export const OWNER: Owner = { kind: "owner", id: "sample-owner", name: "Robin" };

export const BUYERS: readonly Buyer[] = [
  { kind: "buyer", id: 42, name: "Ada" },
  { kind: "buyer", id: 1815, name: "Björn" },
  { kind: "buyer", id: 271_828, name: "Chiyo" },
];

export const PEOPLE: readonly Person[] = [OWNER, ...BUYERS];

/** Of a buyer who is no longer among the samples, the number remains. */
export function buyerName(id: number): string {
  return BUYERS.find((buyer) => buyer.id === id)?.name ?? `User ${id}`;
}

/** Whom the visitor chose to be; the owner, until they choose. */
export function personFromCookies(cookies: string | undefined): Person {
  const chosen = /(?:^|;\s*)market-who=([\w-]+)/.exec(cookies ?? "")?.[1];
  return findPerson(chosen) ?? OWNER;
}

export function findPerson(id: string | undefined): Person | undefined {
  return PEOPLE.find((person) => String(person.id) === id);
}
