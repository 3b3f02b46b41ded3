import type { Words } from "../en/index.ts";
import { rich } from "../rich.ts";

export const ping: Words["ping"] = {
  waiting: (isChat, seconds) =>
    rich`Warten auf ${isChat ? "den Chat" : "Ihren Server"}. ${seconds}`,
  accepted: (status) => `Ping mit ${status ?? "2xx"} angenommen`,
  posted: "Ping in Ihren Chat geschrieben",
  notSent: (title) => `Nicht gesendet: ${title}`,
  failed: (title, status) => `${title}: ${status}`,
  butReplied: (reply) => rich`, aber Ihr Server antwortete: ${reply}`,
  messageThere: "Die Nachricht steht jetzt dort. Ihren Text finden Sie unter Nachrichten.",
  likeRefusal:
    "Das liest sich wie eine Ablehnung. Jeder Status von 200 bis 299 zählt als angenommen, und das Ereignis wird nicht erneut gesendet. Antworten Sie mit 401, wenn Sie eine Anfrage ablehnen.",
  seenNext: (status) =>
    `Ihr Server antwortete mit ${status ?? "2xx"} auf einen Ping, der nur mit dem neuen Geheimnis signiert war. Ein Server, der keine Signaturen prüft, antwortet genauso: Sehen Sie in seinem Protokoll nach, ob er diesen Ping geprüft hat.`,
  seen: (status) =>
    `Ihr Server antwortete mit ${status ?? "2xx"}. Jeder Status von 200 bis 299 zählt als angenommen. Ob er gefälschte Anfragen ablehnt, erfahren Sie unter Anfragen prüfen.`,
};

export const sample: Words["sample"] = {
  title: "Ein Beispiel senden",
  send: "Beispiel senden",
  sendAnother: "Noch eines senden",
  mayAct: "Ihr Server handelt vielleicht danach",
  mayActText: (header) =>
    rich`Es ist signiert wie ein echtes Ereignis, und nur der Header ${header} unterscheidet es. Verwenden Sie Ihre eigene Benutzer-ID. Es steht in keinem Protokoll und wird nie erneut gesendet.`,
  accepted: (status) => `Ihr Server hat es mit ${status ?? "2xx"} angenommen`,

  // Next to each event that can be chosen
  showBody: "Inhalt zeigen",
  hideBody: "Inhalt verbergen",
  showBodyOf: (title) => `Inhalt zeigen: ${title}`,
  hideBodyOf: (title) => `Inhalt verbergen: ${title}`,
  bodyOf: (title) => `Inhalt: ${title}`,
};

export const exchange: Words["exchange"] = {
  request: "Anfrage",
  notSent: "Nicht gesendet: Nichts davon hat unsere Seite verlassen.",
  notStored: "Sie ist nicht mehr gespeichert.",
  headers: "Header",
  body: "Inhalt",
  requestHeaders: "Header der Anfrage",
  requestBody: "Inhalt der Anfrage",
  replyHeaders: "Header der Antwort",
  replyBody: "Inhalt der Antwort",
  shortAddress:
    "Hier endet die Adresse mit ihrem Host. Gesendet und signiert wurde sie vollständig.",
  noReply: "Es kam keine zurück.",
  emptyBody: "Ihr Inhalt war leer.",
  base64: "Ihr Inhalt ist kein UTF-8-Text; in base64:",
  truncated: "Nur die ersten 16 KiB werden aufbewahrt.",
  certificateFor: "Zertifikat für",
  issuedBy: "Ausgestellt von",
  validFrom: "Gültig ab",
  validUntil: "Gültig bis",
  formOf: (label) => `Darstellung: ${label}`,
  readable: "Lesbar",
  exact: "Genau",
  dns: "DNS",
  connect: "Verbindung",
  tls: "TLS",
  firstByte: "Erstes Byte",
  total: "Insgesamt",
  asCurl: "Anfrage als curl",
  copyAsCurl: "Als curl kopieren",
  addressMissing: "Die Adresse darin endet mit ihrem Host: Ergänzen Sie den Rest.",
  signatureMissing: "Die Signatur fehlt darin: Diese Seite wurde ohne Geheimnisse geöffnet.",
  signatureAge:
    "Die Signatur ist die gesendete. Ein Server, der die Zeit prüft, lehnt sie einige Minuten später ab.",
};
