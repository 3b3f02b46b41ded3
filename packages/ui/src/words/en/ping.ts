import type { ReactNode } from "react";
import { rich } from "../rich.ts";

export const ping = {
  waiting: (isChat: boolean, seconds: ReactNode) =>
    rich`Waiting for ${isChat ? "the chat" : "your server"}. ${seconds}`,
  accepted: (status: number | null) => `Ping accepted with ${status ?? "2xx"}`,
  posted: "Ping posted to your chat",
  notSent: (title: string) => `Not sent: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
  failed: (title: string, status: number) => `${title}: ${status}`,
  butReplied: (reply: ReactNode) => rich` but your server replied: ${reply}`,
  messageThere: "The message is there now. Its text is under Messages.",
  likeRefusal:
    "That reads like a refusal. Any status from 200 to 299 counts as accepted, and the event is not sent again. Reply with 401 when you refuse a request.",
  seenNext: (status: number | null) =>
    `Your server replied ${status ?? "2xx"} to a ping signed with the new secret alone. A server that checks no signatures replies the same: see in its log that it verified this ping.`,
  seen: (status: number | null) =>
    `Your server replied ${status ?? "2xx"}. Any status from 200 to 299 counts as accepted. To find out whether it refuses forged requests, open Verify requests.`,
};

export const sample = {
  title: "Send a sample",
  send: "Send sample",
  sendAnother: "Send another one",
  mayAct: "Your server may act on it",
  mayActText: (header: ReactNode) =>
    rich`It is signed as a real event is, and only the header ${header} tells it apart. Use your own user id. It is in no log, and is never sent again.`,
  accepted: (status: number | null) => `Your server accepted it with ${status ?? "2xx"}`,

  // Next to each event that can be chosen
  showBody: "Show the body",
  hideBody: "Hide the body",
  showBodyOf: (title: string) => `Show the body of ${title}`,
  hideBodyOf: (title: string) => `Hide the body of ${title}`,
  bodyOf: (title: string) => `body of ${title}`,
};

export const exchange = {
  request: "Request",
  notSent: "Not sent: nothing of it left our side.",
  notStored: "It is no longer stored.",
  headers: "Headers",
  body: "Body",
  requestHeaders: "request headers",
  requestBody: "request body",
  replyHeaders: "reply headers",
  replyBody: "reply body",
  shortAddress: "Here the address ends with its host. The whole address was sent and signed.",
  noReply: "None came back.",
  emptyBody: "Its body was empty.",
  base64: "Its body is not UTF-8 text; in base64:",
  truncated: "Only the first 16 KiB are kept.",
  certificateFor: "Certificate for",
  issuedBy: "Issued by",
  validFrom: "Valid from",
  validUntil: "Valid until",
  formOf: (label: string) => `Form of the ${label}`,
  readable: "Readable",
  exact: "Exact",
  dns: "DNS",
  connect: "Connect",
  tls: "TLS",
  firstByte: "First byte",
  total: "Total",
  asCurl: "request as curl",
  copyAsCurl: "Copy as curl",
  addressMissing: "The address in it ends with its host: put in the rest.",
  signatureMissing: "It has no signature: this page was opened without secrets.",
  signatureAge:
    "The signature is the one that was sent; a server that checks the time refuses it some minutes later.",
};
