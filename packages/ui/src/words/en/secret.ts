import type { ReactNode } from "react";
import { code, rich } from "../rich.ts";

export const secret = {
  secret: "Secret",
  oldSecret: "Old secret",
  newSecret: "New secret",
  /** Within a sentence or a button. */
  lower: { secret: "secret", oldSecret: "old secret", newSecret: "new secret", address: "address" },
  about:
    "Signs every request. Anyone who has it can forge requests to your server, so keep it out of code and chats.",
  imported: rich`This secret was imported and is not base64, so ${code("webhook-signature")} cannot be made with it. If your server uses our library, set ${code('require: "service"')}. Nothing then covers ${code("webhook-id")} and the time of sending: a new secret is better.`,
  notShown: (service: string) =>
    `${service} opened this page without the right to see secrets. The owner sees them on a page of their own.`,
  show: "Reveal",
  hide: "Hide",
  showThis: (label: string) => `Reveal ${label}`,
  hideThis: (label: string) => `Hide ${label}`,
  wholeAddress: "Whole address",
  wholeAddressText:
    "Anyone who knows it can send there, so other pages show the host only. The service notes that it was shown.",
  showAddress: "Show the whole address",

  // A new one
  newSecretText: "When the secret has leaked, or when you change it from time to time.",
  how: "How to change the secret",
  overlap: "I switch when my server has the new one",
  overlapText:
    "Both secrets sign meanwhile, and nothing is refused. You can send a ping signed with the new one first.",
  leaked: "It leaked: switch now",
  leakedText:
    "The old secret stops at once. Your server refuses requests until it has the new one; they are sent again later.",
  oldStops: "The old secret stops",
  afterDay: "by itself after a day",
  afterWeek: "by itself after a week",
  byHand: "only when I say so",
  switchNow: "Switch now",
  makeNew: "Make a new secret",
  switched: "Switched",
  switchedText: "Every request is signed with the new secret from now on.",
  introducing: "A new secret is being introduced",
  bothUntilSwitch: "Both secrets sign until you switch.",
  bothUntil: (until: ReactNode) => rich`Both secrets sign until ${until}, then the new one alone.`,
  stepCopy: "Copy the new secret into your server.",
  stepPing: (old: ReactNode, next: ReactNode) =>
    rich`Send a ping signed with it, and see in your server's log that it was verified. Meanwhile the old one's signature is in ${old}, the new one's in ${next}.`,
  stepSwitch: "Switch.",
  pingNew: "Ping with the new secret",
  newSigns: "The new secret signs alone now.",
  keepOld: "Keep the old secret",
  oldStays: "The old secret stays.",
};
