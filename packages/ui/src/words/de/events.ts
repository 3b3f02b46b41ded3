import type { Words } from "../en/index.ts";
import { plural, whole } from "../numbers.ts";
import { rich } from "../rich.ts";

export const events: Words["events"] = {
  title: "Warum kam nichts an?",
  about:
    "Jedes Ereignis Ihrer Ressourcen. Öffnen Sie eines, um zu sehen, was bei jedem Webhook daraus wurde.",
  none: "Keine Ereignisse",
  noneAtAll:
    "Mit Ihren Ressourcen ist noch nichts geschehen, oder es ist älter als das Aufbewahrte.",
  noneOfUser:
    "Über diesen Benutzer ist nichts bekannt. Vielleicht hat der Marktplatz es nicht gemeldet.",
  showOlder: "Ältere Ereignisse zeigen",
  showNew: "Neue Ereignisse zeigen",
  showNewOnes: (count) =>
    `${whole(count)} ${plural(count, "neues Ereignis", "neue Ereignisse")} zeigen`,
  userIdFault: "Eine Benutzer-ID ist eine ganze Zahl.",
  find: "Suchen",
  found: (count, andMore) =>
    `${whole(count)}${andMore ? "+" : ""} ${plural(count, "Ereignis", "Ereignisse")}`,
  looking: "Wird gesucht…",
  noWebhook: "Die Ressource hatte keinen Webhook.",
  verdicts: {
    sent: "Gesendet",
    pending: "Ausstehend",
    waiting: "Wartet",
    held: "Zurückgehalten",
    not_chosen: "Nicht ausgewählt",
    paused_since: "Angehalten",
    disabled: "Deaktiviert",
    created_later: "Später angelegt",
    deleted: "Gelöscht",
    blocked_address: "Gesperrt",
    failed: "Fehlgeschlagen",
    cancelled: "Abgebrochen",
  },
  sentences: {
    sent: "Gesendet, und Ihr Server hat es angenommen.",
    pending: "Es wird gerade gesendet oder wartet auf seinen nächsten Versuch.",
    waiting:
      "Es wartet, bis ein früheres Ereignis zum selben Käufer oder zur selben Ressource beendet ist.",
    held: "Es wird im Augenblick zurückgehalten.",
    not_chosen:
      "Dieses Ereignis gehört nicht zu den ausgewählten des Webhooks, oder es gehörte nicht dazu, als es kam.",
    paused_since:
      "Der Webhook ist angehalten. Dies wird zurückgehalten und geht hinaus, wenn er fortgesetzt wird.",
    disabled:
      "Der Webhook ist deaktiviert. Dies wird zurückgehalten, bis er wieder aktiv ist; den Grund nennt seine Seite.",
    created_later: "Der Webhook wurde nach diesem Ereignis angelegt.",
    deleted: "Der Webhook wurde vor diesem Ereignis gelöscht.",
    blocked_address: "Die Adresse Ihres Servers ist nicht erlaubt.",
    failed:
      "Die Versuche sind fehlgeschlagen, und es wird nicht von selbst wiederholt. Die Zustellung zeigt, woran es lag.",
    cancelled:
      "Es wurde abgebrochen, bevor es gesendet werden konnte. Die Zustellung nennt den Grund.",
  },
  at: (when) => rich`${when}.`,
  since: (when) => rich`Seit ${when}.`,
  theOneBefore: "Die davor",
  sendMissing: "Fehlendes senden…",
};
