/** The events that an owner can choose, in the specification's words. */
export const CHOOSABLE_EVENTS = [
  {
    name: "product.update",
    title: "Update posted",
    about: "You post an update to the resource. Carries the previous and the new file version.",
  },
  {
    name: "product.user.purchase",
    title: "Purchase",
    about: "A user purchases the resource. Carries the user's id.",
  },
  {
    name: "product.user.purchaseRemoved",
    title: "Purchase removed",
    about:
      "You refund a user, or a user issues a chargeback. May be sent more than once for the same user.",
  },
  {
    name: "product.user.firstDownload",
    title: "First download",
    about: "A user downloads the resource for the first time.",
  },
] as const;

const TITLES: ReadonlyMap<string, string> = new Map([
  ["ping", "Ping"],
  ...CHOOSABLE_EVENTS.map(({ name, title }): [string, string] => [name, title]),
]);

export function eventTitle(name: string): string {
  return TITLES.get(name) ?? name;
}

/** "All events", or their titles. */
export function chosenWords(events: readonly string[] | null): string {
  return events === null ? "All events" : events.map(eventTitle).join(", ");
}
