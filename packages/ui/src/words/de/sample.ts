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
};
