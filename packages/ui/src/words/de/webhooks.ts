import type { Words } from "../en/index.ts";
import { plural, whole } from "../numbers.ts";
import { code, rich } from "../rich.ts";

export const webhooks: Words["webhooks"] = {
  // The list
  about: (chats) =>
    `Jeder sendet, was mit einer Ressource geschieht: signiert an einen Server von Ihnen oder in einen Chat (${chats}).`,
  of: (resource) => rich`Von ${resource}`,
  listOf: (resource) => `Webhooks von ${resource}`,
  addWebhook: "Webhook hinzufügen",
  none: "Noch keine Webhooks",
  myServer: "Mein Server",
  myServerText:
    "Sendet signiertes JSON an eine URL von Ihnen, damit Ihr Server handeln kann: Zugang geben, ihn entziehen, Neues melden.",
  aChat: (chat) => chat,
  add: "Hinzufügen",
  addThis: (title) => `Hinzufügen: ${title}`,
  withoutOne: (count) =>
    `${whole(count)} ${plural(count, "Ressource hat", "Ressourcen haben")} keinen Webhook`,
  copyOneThere:
    "Fügen Sie einen hinzu, oder öffnen Sie einen Webhook und wählen Sie Mehr, Zu anderen Ressourcen kopieren.",
  nothingSent: "Noch nichts gesendet",
  accepted: "Angenommen",
  edit: "Bearbeiten",
  editThis: (title) => `Bearbeiten: ${title}`,
  delete: "Löschen",
  deleteThis: (title) => `Löschen: ${title}`,
  lastDay: (accepted, failed) =>
    `Letzte 24 Stunden: ${whole(accepted)} ${plural(accepted, "Versuch", "Versuche")} angenommen, ${whole(failed)} fehlgeschlagen`,
  hour: (time, accepted, failed) =>
    accepted + failed === 0
      ? `${time}: nichts gesendet`
      : `${time}: ${whole(accepted)} angenommen, ${whole(failed)} fehlgeschlagen`,
  states: {
    active: "Aktiv",
    paused: "Angehalten",
    disabled: "Deaktiviert",
    failing: "Schlägt fehl",
  },

  // Adding and changing
  addTitle: "Einen Webhook hinzufügen",
  noResource: "Es gibt noch keine Ressource",
  noResourceText:
    "Ein Webhook gehört zu einer Ressource. Veröffentlichen Sie zuerst eine auf dem Marktplatz.",
  yourServer: "Ihr Server",
  yourServerText: (chats) =>
    `Ein eigener Server oder die Webhook-URL aus einem Chat (${chats}), die keinen Server braucht.`,
  resource: "Ressource",
  url: "URL",
  urlText: "Wohin Anfragen gehen: die URL Ihres Servers oder die Webhook-URL eines Chats.",
  checking: "Wird geprüft…",
  unchecked: "Diese URL kann gerade nicht geprüft werden. Geprüft wird sie beim Speichern.",
  isServer: (format) => `Format: ${format}, für einen eigenen Server.`,
  isChat: (chat) => `${chat}: Nachrichten werden dort geschrieben, und Sie brauchen keinen Server.`,
  ownMachine: rich`Läuft Ihr Server noch auf Ihrem eigenen Rechner? Starten Sie dort ${code("markethook receive")}, um Anfragen zu sehen und zu beantworten, und tragen Sie die öffentliche https-Adresse eines Tunnels zu seinem Port ein.`,
  remarks: {
    not_encrypted: "Anfragen gehen unverschlüsselt dorthin: https ist besser.",
    address_is_number:
      "Die Adresse ist als Zahl geschrieben: Zieht der Server um, muss der Webhook geändert werden.",
    same_address:
      "Ein anderer Webhook dieser Ressource hat dieselbe Adresse: Ereignisse, die beide ausgewählt haben, kommen dort zweimal an.",
  },
  enterUrl: "Tragen Sie die URL ein.",
  chooseEvent: "Wählen Sie mindestens ein Ereignis aus, oder alle.",
  events: "Ereignisse",
  allEventsText: "Auch solche, die es erst später gibt.",
  chosenEvents: "Ausgewählte Ereignisse",
  texts: {
    description: { label: "Beschreibung", about: "Für Sie selbst; sie wird nicht gesendet." },
  },
  includeDetails: {
    label: "Angaben zur Bestellung mitsenden",
    about:
      "Was der Marktplatz zu einer Bestellung mitteilt: Name des Käufers, Betrag, Währung, Bestellnummer und Grund. Ein Name gehört zu den personenbezogenen Daten, die dann auch Ihr Server hat.",
    on: "mitgesendet",
    off: "nicht mitgesendet",
  },
  save: "Speichern",
  saved: "Gespeichert.",
  discard: "Verwerfen",
  chat: "Chat",
  settingsText:
    "Die URL ist geheim und wird nicht vollständig gezeigt. Sie bleibt, wie sie ist, solange Sie keine andere eintragen.",
  aboutIt: "Angaben",
  webhookId: "Webhook-ID",
  resourceId: "Ressourcen-ID",
  added: "Hinzugefügt",
  lastAccepted: "Zuletzt angenommen",
  lastFailed: "Zuletzt fehlgeschlagen",

  // A better address
  useHttps: "Stattdessen https verwenden",
  useAddress: "Die neue Adresse verwenden",
  useThis: "Diese Adresse verwenden",
  addressSaved: "Gespeichert. Senden Sie einen Ping, um zu sehen, ob sie antwortet.",
  httpsText:
    "Anfragen gehen an dieselbe Adresse, verschlüsselt. Ihr Server braucht ein Zertifikat für seinen Namen.",
  movedText:
    "Ihr Server sagt, dass er endgültig dorthin umgezogen ist. Anfragen werden signiert wie zuvor.",

  // Changes that need a word
  otherChat: "Nachrichten gehen jetzt in einen anderen Chat",
  otherHost: "Anfragen gehen jetzt an einen anderen Host",
  sendPing: "Ping senden",
  later: "Später",
  otherChatText: "Senden Sie einen Ping, um zu sehen, ob er dort ankommt.",
  otherHostText: "Senden Sie ihm einen Ping, um zu sehen, ob er antwortet und das Geheimnis kennt.",
  changedElsewhere: "Dies wurde inzwischen anderswo geändert",
  isNow: {
    url: (value) => rich`Die URL ist jetzt eine andere: ${value}`,
    events: (value) => rich`Die Ereignisse sind jetzt: ${value}`,
    description: (value) => rich`Die Beschreibung ist jetzt: ${value}`,
    includeDetails: (value) => rich`Angaben zur Bestellung werden jetzt ${value}`,
  },
  empty: "(leer)",
  all: "alle",
  keepMine: "Meine Eingaben behalten",
  takeTheirs: "Gespeichertes übernehmen",

  // The page of one
  backToList: "Zurück zur Liste",
  parts: "Teile dieses Webhooks",
  tabs: {
    deliveries: "Zustellungen",
    secret: "Geheimnis",
    messages: "Nachrichten",
    settings: "Einstellungen",
    verify: "Anfragen prüfen",
  },
  ping: "Ping",
  pause: "Anhalten",
  resume: "Fortsetzen",
  more: "Mehr",
  sendSample: "Beispiel…",
  sendWaiting: "Alles Wartende senden…",
  sendMany: "Viele erneut senden…",
  copyTo: "Zu anderen Ressourcen kopieren…",
  deleteIt: "Löschen…",
  sendThisTime: "Diese Zeit erneut senden…",
  ready: "Ihr Webhook ist bereit",
  done: "Fertig",
  readyChat:
    "Drücken Sie Ping, und sehen Sie in Ihren Chat. Die Texte zu jedem Ereignis stehen unter Nachrichten.",
  readySecret:
    "Kopieren Sie das Geheimnis in die Einstellungen Ihres Servers, und drücken Sie dann Ping. Sie finden es später unter Geheimnis.",
  readyNoSecret:
    "Diese Seite zeigt keine Geheimnisse. Wenn der Eigentümer das Geheimnis in den Server kopiert hat, drücken Sie Ping.",

  // What its owner should know
  messageUnused: "Eine Ihrer Nachrichten war nicht zu verwenden",
  defaultPosted: "Stattdessen wurde die Standardnachricht geschrieben.",
  openMessages: "Nachrichten öffnen",
  isDisabled: "Dieser Webhook ist deaktiviert",
  heldNotLost: "Seine Zustellungen werden zurückgehalten und gehen nicht verloren.",
  othersHeld: "Alle anderen werden zurückgehalten und gehen nicht verloren.",
  staysDisabled: "Er bleibt deaktiviert, bis Sie ihn fortsetzen.",
  disabled: {
    failing:
      "Seit langem ist jeder Versuch fehlgeschlagen. Ab und zu wird es mit der ältesten Zustellung erneut versucht. Kommt sie an, wird der Webhook von selbst wieder aktiv.",
    gone: "Ihr Server hat mit 410 Gone geantwortet. Der Webhook bleibt deaktiviert, bis Sie ihn fortsetzen. Zustellungen mit dieser Antwort sind beendet: Senden Sie sie aus dem Protokoll erneut, wenn Sie sie brauchen.",
    receiver_request:
      "Ihr Server hat darum gebeten. Der Webhook bleibt deaktiviert, bis Sie ihn fortsetzen. Zustellungen mit dieser Antwort sind beendet: Senden Sie sie aus dem Protokoll erneut, wenn Sie sie brauchen.",
    owner_changed:
      "Die Ressource ging an jemand anderen. Gehört sie wieder Ihnen, setzen Sie den Webhook fort.",
  },
  isPaused: "Dieser Webhook ist angehalten",
  isDropping: "Zurückgehaltenes wird gerade verworfen.",
  heldUntilResumed: (held) =>
    held === undefined || held.count === 0
      ? "Seine Zustellungen werden zurückgehalten, bis Sie ihn fortsetzen."
      : `${held.capped ? "Mehr als " : ""}${whole(held.count)} ${plural(held.count, "Zustellung wird", "Zustellungen werden")} zurückgehalten, bis Sie ihn fortsetzen.`,
  givenUp: (count) =>
    plural(
      count,
      "Eine Zustellung wurde aufgegeben",
      `${whole(count)} Zustellungen wurden aufgegeben`,
    ),
  givenUpText: (count, since) =>
    rich`Seit ${since}. ${plural(count, "Sie wird", "Sie werden")} nur erneut gesendet, wenn Sie es tun.`,
  showFailed: "Fehlgeschlagene Zustellungen zeigen",
  sendAgain: () => "Erneut senden…",
  whatFailed: "Fehlschläge nach Ursache",
  causes: "Ursachen",
  openNewest: "Neueste öffnen",
  showInLog: "Im Protokoll zeigen",
  othersFailed: (count) =>
    `${whole(count)} weitere ${plural(count, "schlug aus einem anderen Grund", "schlugen aus anderen Gründen")} fehl.`,
  onlyNewest: (count) => `Nur die neuesten ${whole(count)} jeder Art wurden betrachtet.`,
  failedSince: (count, since, what) =>
    rich`Seit ${since} ${plural(count, "ist", "sind")} ${whole(count)} fehlgeschlagen: ${what}`,
  last: (when) => rich`(Zuletzt ${when})`,
  areTriedAgain: (count) => `${whole(count)} ${plural(count, "wird", "werden")} wiederholt.`,
  wereGivenUp: (count) => `${whole(count)} ${plural(count, "wurde", "wurden")} aufgegeben.`,

  // Dialogs
  copyTitle: "Zu anderen Ressourcen kopieren",
  copy: (count) => (count === 0 ? "Kopieren" : `Zu ${whole(count)} kopieren`),
  noOther: "Sie haben keine andere Ressource, oder diese Seite wurde nur für diese geöffnet.",
  copyJson:
    "Dieselbe URL und dieselben Ereignisse; jede Kopie bekommt ein eigenes Geheimnis, das danach gezeigt wird.",
  copyChat: "Derselbe Chat, dieselben Ereignisse und Nachrichten.",
  allOfThem: "Alle",
  allWithout: (count) => `Alle ${whole(count)} ohne einen`,
  firstWithout: (count) => `Die ersten ${whole(count)} ohne einen`,
  sendsThere: (isJson) =>
    isJson ? "Hat einen Webhook zu diesem Host" : "Hat einen Webhook in diesen Chat",
  resources: "Ressourcen",
  allSecrets: "alle Geheimnisse",
  copyAllSecrets: "Alle Geheimnisse kopieren",
  secretsById:
    "Für einen einzigen Server: ein JSON-Objekt, in dem jedes Geheimnis unter der ID seines Webhooks steht.",
  secretFor: (resource) => `Geheimnis für ${resource}`,
  notCopied: (title, text) => rich`Nicht kopiert. ${title} ${text}`,
  deleteTitle: "Diesen Webhook löschen?",
  deleteWebhook: "Webhook löschen",
  deleted: "Webhook gelöscht.",
  deleteText: (webhook, isChat) =>
    rich`An ${webhook} wird nichts mehr gesendet. Die offenen Zustellungen werden abgebrochen, und ${
      isChat ? "seine Nachrichten sind" : "sein Geheimnis ist"
    } weg. Das lässt sich nicht rückgängig machen; anhalten schon.`,
  pauseTitle: "Diesen Webhook anhalten?",
  pauseText:
    "Ereignisse werden weiter aufgezeichnet, und ihre Zustellungen werden zurückgehalten. Beim Fortsetzen wählen Sie, ob sie gesendet oder verworfen werden. Ping geht weiterhin.",
  paused: "Angehalten. Zustellungen werden zurückgehalten.",
  resumeTitle: "Diesen Webhook fortsetzen",
  whatOfHeld: (held) =>
    held === undefined || held.count === 0
      ? "Was soll aus den bisher zurückgehaltenen Zustellungen werden?"
      : `Was soll aus ${plural(held.count, "der bisher zurückgehaltenen Zustellung", `den ${held.capped ? "mehr als " : ""}${whole(held.count)} bisher zurückgehaltenen Zustellungen`)} werden?`,
  sendAll: "Alle senden",
  sendAllText:
    "In der Reihenfolge der Ereignisse. Was auf seinen nächsten Versuch wartet, geht jetzt auch hinaus.",
  dropAll: "Verwerfen",
  dropAllText: "Sie bleiben als abgebrochen im Protokoll und lassen sich einzeln erneut senden.",
  resumedSending: "Fortgesetzt. Zurückgehaltenes wird gesendet.",
  resumedDropping: "Fortgesetzt. Zurückgehaltenes wird verworfen.",
};
