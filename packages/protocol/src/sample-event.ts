import type { Details, PreviousFileVersion, Product } from "./envelope.ts";
import { EVENT_SUBJECTS, type ReportedEventName } from "./event-names.ts";
import { updatePayload, userPayload } from "./payloads.ts";

const BEFORE: PreviousFileVersion = {
  version: "1.0",
  id: "sample-1.0",
  time: 0,
  size: "1048576",
  fileType: "zip",
  branch: "release",
};

/** Of an order that was not placed. An update has none. */
export function sampleEventDetails(event: ReportedEventName): Details | null {
  switch (event) {
    case "product.user.purchase":
      return ORDER;
    case "product.user.purchaseRemoved":
      return { ...ORDER, reason: "refund" };
    case "product.user.firstDownload":
      return { buyerName: ORDER.buyerName };
    case "product.update":
      return null;
  }
}

const ORDER = { buyerName: "Jo", amount: "4.99", currency: "EUR", orderId: "88213" };

/** Of an event that did not happen. An update follows the resource's latest known version. */
export function sampleEventPayload(
  { event, userId }: { event: ReportedEventName; userId: number },
  about: Product,
  known: PreviousFileVersion | null,
  /** Unix seconds. */
  time: number,
): object {
  switch (EVENT_SUBJECTS[event]) {
    case "user":
      return userPayload(about, userId);
    case "update":
      return sampleUpdate(about, known ?? { ...BEFORE, time: time - 86_400 }, time);
  }
}

function sampleUpdate(about: Product, previous: PreviousFileVersion, time: number): object {
  return updatePayload(about, previous, {
    ...previous,
    version: `${previous.version}-sample`,
    id: `sample-${time}`,
    time,
    title: "A sample of an update",
    description: "Nothing was released: the resource's owner tries out the webhook.",
  });
}
