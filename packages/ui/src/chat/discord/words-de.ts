import type { PlatformWords } from "../chat-platform.ts";

export const de: PlatformWords = {
  chat: "Discord-Kanal",
  about:
    "Schreibt zu jedem Ereignis eine Nachricht. Sie fügen eine Webhook-URL ein, die Discord für den Kanal anlegt, und schon sind Sie fertig.",
  find: "Für einen Discord-Kanal: Öffnen Sie in Discord Servereinstellungen, Integrationen, Webhooks, und legen Sie für den Kanal einen Webhook an. Drücken Sie dort auf Webhook-URL kopieren, und fügen Sie sie hier ein.",
  text: "Discords Zeichen wie **fett** wirken. Eine Zeile, deren Platzhalter alle leer sind, entfällt.",
  role: "Ihre Nummer: in Discord bei eingeschaltetem Entwicklermodus unter Servereinstellungen, Rollen, Rollen-ID kopieren. Ohne sie wird niemand erwähnt.",
  preview: "Mit Beispieldaten. Name und Bild sind die, die der Webhook in Discord hat.",
  said: {
    Title: "Titel",
    Text: "Text",
    Fields: "Felder",
    "Whole message": "Ganze Nachricht",
    "Discord takes no link to this resource's address.":
      "Discord nimmt keinen Link zur Adresse dieser Ressource an.",
    "The title is longer than Discord takes and was cut.":
      "Der Titel ist länger, als Discord erlaubt, und wurde gekürzt.",
    "The footer is longer than Discord takes and was cut.":
      "Die Fußzeile ist länger, als Discord erlaubt, und wurde gekürzt.",
    "The text is longer than Discord takes and was cut.":
      "Der Text ist länger, als Discord erlaubt, und wurde gekürzt.",
  },
  disabled: {
    chat_deleted:
      "Der Webhook wurde in Discord gelöscht. Legen Sie in Discord einen neuen an, tragen Sie dessen URL unter Einstellungen ein, und setzen Sie diesen Webhook fort.",
    chat_token:
      "Discord kennt den letzten Teil der URL dieses Webhooks nicht mehr. Kopieren Sie die URL in Discord erneut, tragen Sie sie unter Einstellungen ein, und setzen Sie diesen Webhook fort.",
    chat_forbidden:
      "Discord lässt diesen Webhook nicht schreiben: Sein Kanal oder Server wurde für ihn gesperrt. Legen Sie in einem anderen Kanal einen Webhook an, tragen Sie dessen URL unter Einstellungen ein, und setzen Sie diesen Webhook fort.",
  },
};
