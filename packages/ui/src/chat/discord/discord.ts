import type { ChatPlatform, PlatformWords } from "../chat-platform.ts";

const en: PlatformWords = {
  chat: "Discord channel",
  about:
    "Posts a message for each event. You paste a webhook URL that Discord makes for the channel, and you are done.",
  find: "For a Discord channel: in Discord, open Server settings, Integrations, Webhooks, and make a webhook for the channel. Then press Copy Webhook URL, and paste it here.",
  text: "Discord's marks such as **bold** work. A line whose placeholders are all empty is left out.",
  role: "Its number: in Discord with developer mode on, Server settings, Roles, Copy Role ID. Nobody is mentioned without it.",
  preview: "With sample data. Name and picture are those that the webhook has in Discord.",
  said: {},
  disabled: {
    chat_deleted:
      "The Discord webhook was deleted. Make a new one in Discord, enter its URL under Settings, and resume this webhook.",
    chat_token:
      "Discord no longer knows the last part of this webhook's URL. Copy the URL in Discord again, enter it under Settings, and resume this webhook.",
    chat_forbidden:
      "Discord does not let this webhook post: its channel or server has been closed to it. Make a webhook in another channel, enter its URL under Settings, and resume this webhook.",
  },
};

const de: PlatformWords = {
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

export const discord: ChatPlatform = {
  words: { en, de },
  loadPreview: async () => (await import("./discord-preview.tsx")).DiscordPreview,
};
