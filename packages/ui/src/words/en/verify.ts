import type { ReactNode } from "react";
import { code, rich } from "../rich.ts";

interface Judgement {
  sentence: string;
  advice: string | null;
}

export const verify = {
  // Does it refuse forgeries?
  title: "Does my server refuse forgeries?",
  about:
    "Sends your server a ping, then eleven more requests: two that it must accept, and nine forged or recorded ones that it must refuse. All are test events, marked in a header.",
  check: "Check my server",
  waiting: (seconds: ReactNode) => rich`Waiting for your server. ${seconds}`,
  findings: {
    right: "Right",
    remark: "Could be better",
    wrong: "Wrong",
    unknown: "Not known",
  },
  replied: (status: number) => `Your server replied ${status}.`,
  /**
   * What the service says about the check, by its codes, in place of its own sentences, which are English. `no_reply` is
   * the verdict `cannot_tell` where no forged request was accepted.
   */
  judgements: {} as Readonly<Record<string, Judgement>>,
  /** By the probe's name: the request, and the meaning of a wrong reply. */
  probes: {} as Readonly<Record<string, { title: string; wrong: string }>>,
  accepted: "Accepted, as it must be.",
  refused: "Refused, as it must be.",
  noReply: "No reply came.",
  askedLess: "Your server asked for fewer requests.",
  crashed: "Refused with a server error: probably by a crash. Reply 401 instead.",
  parsedFirst:
    "The body is read before its signature is verified. Verify first, and parse afterwards.",

  // Code
  codeTitle: "Code for your server",
  codeText: (signature: ReactNode) =>
    rich`${signature} is the SHA-256 HMAC of the raw body, keyed with the secret, as 64 hexadecimal digits.`,
  codeStandard: (service: string) =>
    rich`${code("webhook-signature")} covers ${code("webhook-id")} and the time of sending too. If one of them differs or the time is not near, the request is not from ${service}: do not act on it.`,
  codeImported: (service: string) =>
    rich`If it differs, the request is not from ${service}: do not act on it. This secret was imported and cannot make ${code("webhook-signature")}: if your server uses our library, set ${code('require: "service"')}, and better make a new secret.`,
  language: "Language",
  codeIn: (language: string) => `${language} code`,
  byHand: "by hand",

  // One request
  requestTitle: "Check a request",
  requestText:
    "Paste a request as your server got it. You learn whether the signature fits, and if not, what most likely went wrong.",
  bodyText: "Exactly as it came, without a changed space or line break.",
  thisWebhooks: "This webhook's",
  inMyServer: "The one in my server",
  secretInServer: "The secret in my server",
  notStored: "It is checked and not stored.",
  checkIt: "Check",
  fits: "The signature fits.",
  fitsNot: "The signature does not fit.",
  genuine: "The request is genuine.",
  genuineEvent: (event: string) => `The request is genuine: ${event}.`,
  timely: rich`Libraries accept it only within five minutes of its ${code("webhook-timestamp")}.`,
  /** By the cause's code, in place of the service's own words, which are English. A null advice: its sentence says more. */
  causes: {} as Readonly<Record<string, Judgement>>,
};
