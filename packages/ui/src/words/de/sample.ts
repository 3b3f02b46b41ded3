import type { Words } from "../en/index.ts";
import { rich } from "../rich.ts";

export const sample: Words["sample"] = {
  title: "Ein Beispiel senden",
  send: "Beispiel senden",
  sendAnother: "Noch eines senden",
  mayAct: "Ihr Server handelt vielleicht danach",
  mayActText: (header) =>
    rich`Es ist signiert wie ein echtes Ereignis, und nur der Header ${header} unterscheidet es. Verwenden Sie Ihre eigene Benutzer-ID. Es steht in keinem Protokoll und wird nie erneut gesendet.`,
  event: "Ereignis",
  userId: "Benutzer-ID",
  accepted: (status) => `Ihr Server hat es mit ${status ?? "2xx"} angenommen`,
  body: "Inhalt des Beispiels",

  // Next to each event that can be chosen
  showBody: "Inhalt zeigen",
  hideBody: "Inhalt verbergen",
  showBodyOf: (title) => `Inhalt zeigen: ${title}`,
  hideBodyOf: (title) => `Inhalt verbergen: ${title}`,
  bodyOf: (title) => `Inhalt: ${title}`,
  bodyUnloadable:
    "Der Inhalt konnte nicht geladen werden. Laden Sie die Seite neu, um ihn zu sehen.",
};
