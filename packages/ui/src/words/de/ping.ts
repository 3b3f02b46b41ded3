import type { Words } from "../en/index.ts";
import { rich } from "../rich.ts";

export const ping: Words["ping"] = {
  title: "Ping",
  waiting: (isChat, seconds) =>
    rich`Warten auf ${isChat ? "den Chat" : "Ihren Server"}. ${seconds}`,
  accepted: (status) => `Ping mit ${status ?? "2xx"} angenommen`,
  posted: "Ping in Ihren Chat geschrieben",
  notSent: (title) => `Nicht gesendet: ${title}`,
  failed: (title, status) => `${title}: ${status}`,
  butReplied: (reply) => rich` Ihr Server antwortete aber: ${reply}`,
  messageThere: "Die Nachricht steht jetzt dort. Was sie sagt, finden Sie unter Nachrichten.",
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
  bodyUnloadable:
    "Der Inhalt konnte nicht geladen werden. Laden Sie die Seite neu, um ihn zu sehen.",
};
