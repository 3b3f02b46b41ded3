import type { WebhookFields, WebhookTexts } from "@markethook/protocol/webhook-fields";
import type { ReactNode } from "react";
import { plural, whole } from "../numbers.ts";
import { code, rich } from "../rich.ts";

type Held = { count: number; capped: boolean } | undefined;

export const webhooks = {
  // The list
  about: (chats: string) =>
    `Each sends what happens to a resource: signed, to a server of yours, or into a ${chats}.`,
  of: (resource: ReactNode) => rich`Of ${resource}`,
  listOf: (resource: string) => `Webhooks of ${resource}`,
  addWebhook: "Add webhook",
  none: "No webhooks yet",
  myServer: "My server",
  myServerText:
    "Sends signed JSON to a URL of yours, so that it can act: give access, take it back, post news.",
  aChat: (chat: string) => `A ${chat}`,
  add: "Add",
  addThis: (title: string) => `Add: ${title}`,
  withoutOne: (count: number) =>
    `${whole(count)} ${plural(count, "resource has", "resources have")} no webhook`,
  copyOneThere: "Add one, or open a webhook and choose More, Copy to my other resources.",
  nothingSent: "Nothing sent yet",
  accepted: "Accepted",
  edit: "Edit",
  editThis: (title: string) => `Edit ${title}`,
  delete: "Delete",
  deleteThis: (title: string) => `Delete ${title}`,
  lastDay: (accepted: number, failed: number) =>
    `Last 24 hours: ${whole(accepted)} accepted, ${whole(failed)} failed attempts`,
  hour: (time: string, accepted: number, failed: number) =>
    accepted + failed === 0
      ? `${time}: nothing sent`
      : `${time}: ${whole(accepted)} accepted, ${whole(failed)} failed`,
  states: { active: "Active", paused: "Paused", disabled: "Disabled", failing: "Failing" },

  // Adding and changing
  addTitle: "Add a webhook",
  noResource: "There is no resource yet",
  noResourceText: "A webhook belongs to a resource. Post one on the marketplace first.",
  yourServer: "Your server",
  yourServerText: (chats: string) =>
    `A server of your own, or the webhook URL of a ${chats}, which needs no server.`,
  resource: "Resource",
  url: "URL",
  urlText: "Where requests go: your server's, or a chat platform's webhook URL.",
  checking: "Checking…",
  unchecked: "This URL cannot be checked just now. It is checked when you save.",
  isServer: (format: string) => `Format: ${format}, for a server of yours.`,
  isChat: (chat: string) => `${chat}: messages are posted there, and you need no server.`,
  ownMachine: rich`Is your server still on your own machine? Run ${code("markethook receive")} there to see requests and reply to them, and enter the public https address of a tunnel to its port.`,
  /** By the code of a remark on a URL. In English the service's own sentence is shown. */
  remarks: {} as Readonly<Record<string, string>>,
  enterUrl: "Enter the URL.",
  chooseEvent: "Choose at least one event, or all.",
  events: "Events",
  allEventsText: "Also those that are added later.",
  chosenEvents: "Chosen events",
  /** A field of the form for each. */
  texts: {
    description: { label: "Description", about: "For yourself; it is not sent." },
  } satisfies Record<keyof WebhookTexts, { label: string; about: string }>,
  includeDetails: {
    label: "Send order details along",
    about:
      "Facts about an order that the marketplace reports: the buyer's name, amount, currency, order number and reason. A name is personal data, which your server then has, too.",
    on: "sent along",
    off: "not sent along",
  },
  save: "Save",
  saved: "Saved.",
  discard: "Discard",
  chat: "Chat",
  settingsText:
    "The URL is a secret and not shown in full. It stays as it is unless you enter another one.",
  aboutIt: "About",
  webhookId: "Webhook id",
  resourceId: "Resource id",
  added: "Added",
  lastAccepted: "Last accepted",
  lastFailed: "Last failed",

  // A better address
  useHttps: "Use https instead",
  useAddress: "Use the new address",
  useThis: "Use this address",
  addressSaved: "Saved. Send a ping to see whether it replies.",
  httpsText:
    "Requests go to the same address, encrypted. Your server needs a certificate for its name.",
  movedText: "Your server says that it has moved there for good. Requests are signed as before.",

  // Changes that need a word
  otherChat: "Messages now go to another chat",
  otherHost: "Requests now go to another host",
  sendPing: "Send a ping",
  later: "Later",
  otherChatText: "Send a ping to see that it arrives there.",
  otherHostText: "Send it a ping to see that it replies and knows the secret.",
  changedElsewhere: "This was changed elsewhere meanwhile",
  isNow: {
    url: (value: ReactNode) => rich`URL is now another one: ${value}`,
    events: (value: ReactNode) => rich`Events are now: ${value}`,
    description: (value: ReactNode) => rich`Description is now: ${value}`,
    includeDetails: (value: ReactNode) => rich`Order details are now ${value}`,
  } satisfies Record<"url" | keyof WebhookFields, (value: ReactNode) => ReactNode>,
  empty: "(empty)",
  all: "all",
  keepMine: "Keep my changes",
  takeTheirs: "Use the saved version",

  // The page of one
  backToList: "Back to the list",
  parts: "Parts of this webhook",
  tabs: {
    deliveries: "Deliveries",
    secret: "Secret",
    messages: "Messages",
    settings: "Settings",
    verify: "Verify requests",
  },
  ping: "Ping",
  pause: "Pause",
  resume: "Resume",
  more: "More",
  sendSample: "Sample…",
  sendWaiting: "Send all waiting…",
  sendMany: "Send many again…",
  copyTo: "Copy to my other resources…",
  deleteIt: "Delete…",
  sendThisTime: "Send this time again…",
  ready: "Your webhook is ready",
  done: "Done",
  readyChat: "Press Ping and look at your chat. The texts for each event are under Messages.",
  readySecret:
    "Copy the secret into your server's settings, then press Ping. You can see it again under Secret.",
  readyNoSecret:
    "This page shows no secrets. When the owner has copied the secret into the server, press Ping.",

  // What its owner should know
  messageUnused: "A message of yours could not be used",
  defaultPosted: "The default message was posted instead.",
  openMessages: "Open messages",
  isDisabled: "This webhook is disabled",
  heldNotLost: "Its deliveries are held, not lost.",
  othersHeld: "All others are held, not lost.",
  staysDisabled: "It stays disabled until you resume it.",
  disabled: {
    failing:
      "Every attempt has failed for a long time. It is tried again now and then with the oldest delivery, and comes back by itself once that arrives.",
    gone: "Your server replied 410 Gone. It stays disabled until you resume it. Deliveries with this reply have ended: send them again from the log if you need them.",
    receiver_request:
      "Your server asked for it. It stays disabled until you resume it. Deliveries with this reply have ended: send them again from the log if you need them.",
    owner_changed: "The resource went to another owner. If it is yours again, resume the webhook.",
  },
  isPaused: "This webhook is paused",
  isDropping: "Held deliveries are being dropped.",
  heldUntilResumed: (held: Held) =>
    held === undefined || held.count === 0
      ? "Its deliveries are held until you resume it."
      : `${held.capped ? "More than " : ""}${whole(held.count)} ${plural(held.count, "delivery is", "deliveries are")} held until you resume it.`,
  givenUp: (count: number) =>
    plural(count, "A delivery was given up", `${whole(count)} deliveries were given up`),
  givenUpText: (count: number, since: ReactNode) =>
    rich`Since ${since}. ${plural(count, "It is", "They are")} not sent again unless you do.`,
  showFailed: "Show failed deliveries",
  sendAgain: (count: number) => plural(count, "Send it again…", "Send them again…"),
  whatFailed: "Failures by cause",
  causes: "Causes",
  openNewest: "Open the newest",
  showInLog: "Show in the log",
  othersFailed: (count: number) =>
    `${whole(count)} more failed for ${plural(count, "another reason", "other reasons")}.`,
  onlyNewest: (count: number) => `Only the newest ${whole(count)} of each kind were looked at.`,
  failedSince: (count: number, since: ReactNode, what: ReactNode) =>
    rich`${whole(count)} failed since ${since}: ${what}`,
  last: (when: ReactNode) => rich`Last ${when}.`,
  areTriedAgain: (count: number) => `${whole(count)} ${plural(count, "is", "are")} tried again.`,
  wereGivenUp: (count: number) => `${whole(count)} ${plural(count, "was", "were")} given up.`,

  // Dialogs
  copyTitle: "Copy to my other resources",
  copy: (count: number) => (count === 0 ? "Copy" : `Copy to ${whole(count)}`),
  noOther: "You have no other resource, or this page was opened for this one alone.",
  copyJson: "The same URL and events; each copy gets its own secret, shown next.",
  copyChat: "The same chat, events and messages.",
  allOfThem: "All",
  allWithout: (count: number) => `All ${whole(count)} without one`,
  firstWithout: (count: number) => `The first ${whole(count)} without one`,
  sendsThere: (isJson: boolean): string =>
    isJson ? "Has a webhook to this host" : "Has a webhook into this chat",
  resources: "Resources",
  allSecrets: "all secrets",
  copyAllSecrets: "Copy all secrets",
  secretsById: "For one server: a JSON object with each secret under its webhook's id.",
  secretFor: (resource: string) => `Secret for ${resource}`,
  notCopied: (title: ReactNode, text: ReactNode) => rich`Not copied. ${title} ${text}`,
  deleteTitle: "Delete this webhook?",
  deleteWebhook: "Delete webhook",
  deleted: "Webhook deleted.",
  deleteText: (webhook: ReactNode, isChat: boolean) =>
    rich`Nothing more is sent to ${webhook}. Its open deliveries are cancelled, and its ${
      isChat ? "messages are" : "secret is"
    } gone. This cannot be undone; pausing can.`,
  pauseTitle: "Pause this webhook?",
  pauseText:
    "Events go on being recorded, and their deliveries are held. When you resume, you choose whether they are sent or dropped. Ping works meanwhile.",
  paused: "Paused. Deliveries are held.",
  resumeTitle: "Resume this webhook",
  whatOfHeld: (held: Held) =>
    held === undefined || held.count === 0
      ? "What should happen to the deliveries held so far?"
      : `What should happen to the ${plural(held.count, "delivery", `${held.capped ? "more than " : ""}${whole(held.count)} deliveries`)} held so far?`,
  sendAll: "Send all of them",
  sendAllText:
    "In the order of the events. Deliveries that wait for their next attempt are sent now, too.",
  dropAll: "Drop them",
  dropAllText: "They stay in the log as cancelled, and can be sent again one by one.",
  resumedSending: "Resumed. Held deliveries are being sent.",
  resumedDropping: "Resumed. Held deliveries are being dropped.",
};
