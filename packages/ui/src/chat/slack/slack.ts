import type { ChatPlatform, PlatformWords } from "../chat-platform.ts";

const en: PlatformWords = {
  chat: "Slack channel",
  about:
    "Posts a message for each event. You paste a webhook URL that Slack makes for the channel, and you are done.",
  find: "For a Slack channel: at api.slack.com/apps, create an app for your workspace, switch on Incoming Webhooks, press Add New Webhook, and choose the channel. Then copy its Webhook URL, and paste it here.",
  text: "Slack's marks such as *bold* work, and links do not. A line whose placeholders are all empty is left out.",
  preview: "With sample data. Name and picture are those of the app in Slack.",
  said: {},
  disabled: {
    chat_deleted:
      "The webhook was deleted in Slack, or its app was removed. Make a new one in Slack, enter its URL under Settings, and resume this webhook.",
    chat_token:
      "Slack no longer knows the last part of this webhook's URL. Copy the URL in Slack again, enter it under Settings, and resume this webhook.",
    chat_forbidden:
      "Slack does not let this webhook post: its channel is archived or gone, or the workspace forbids it. Open the channel again and resume this webhook, or make a webhook for another channel and enter its URL under Settings first.",
  },
};

const de: PlatformWords = {
  chat: "Slack-Kanal",
  about:
    "Schreibt zu jedem Ereignis eine Nachricht. Sie fügen eine Webhook-URL ein, die Slack für den Kanal anlegt, und schon sind Sie fertig.",
  find: "Für einen Slack-Kanal: Legen Sie unter api.slack.com/apps eine App für Ihren Workspace an, schalten Sie dort Incoming Webhooks ein, drücken Sie auf Add New Webhook, und wählen Sie den Kanal. Kopieren Sie dann die Webhook-URL, und fügen Sie sie hier ein.",
  text: "Slacks Zeichen wie *fett* wirken, Links nicht. Eine Zeile, deren Platzhalter alle leer sind, entfällt.",
  preview: "Mit Beispieldaten. Name und Bild sind die der App in Slack.",
  said: {
    Title: "Titel",
    Text: "Text",
    "The title is longer than Slack takes and was cut.":
      "Der Titel ist länger, als Slack erlaubt, und wurde gekürzt.",
    "The text is longer than Slack takes and was cut.":
      "Der Text ist länger, als Slack erlaubt, und wurde gekürzt.",
  },
  disabled: {
    chat_deleted:
      "Der Webhook wurde in Slack gelöscht, oder seine App wurde entfernt. Legen Sie in Slack einen neuen an, tragen Sie dessen URL unter Einstellungen ein, und setzen Sie diesen Webhook fort.",
    chat_token:
      "Slack kennt den letzten Teil der URL dieses Webhooks nicht mehr. Kopieren Sie die URL in Slack erneut, tragen Sie sie unter Einstellungen ein, und setzen Sie diesen Webhook fort.",
    chat_forbidden:
      "Slack lässt diesen Webhook nicht schreiben: Sein Kanal ist archiviert oder gelöscht, oder der Workspace verbietet es. Öffnen Sie den Kanal wieder, und setzen Sie diesen Webhook fort, oder legen Sie vorher für einen anderen Kanal einen Webhook an, und tragen Sie dessen URL unter Einstellungen ein.",
  },
};

export const slack: ChatPlatform = {
  words: { en, de },
  loadPreview: async () => (await import("./slack-preview.tsx")).SlackPreview,
};
