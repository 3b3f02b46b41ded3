import { LIMITS } from "@markethook/protocol/limits";
import type { Words } from "../en/index.ts";
import { list, plural, whole } from "../numbers.ts";
import { rich, strong } from "../rich.ts";

export const shared: Words["shared"] = {
  close: "Schließen",
  cancel: "Abbrechen",
  tryAgain: "Erneut versuchen",
  loading: "Wird geladen",
  copy: "Kopieren",
  copied: "Kopiert",
  copyRefused: "Hier nicht erlaubt",
  wasCopied: (label) => `Kopiert: ${label}`,
  directionMark: "Ein Zeichen, das die Schreibrichtung ändert",
  from: "Von",
  to: "Bis",
  endsTooEarly: "Der Zeitraum endet, bevor er beginnt.",
  nothingHere: "Hier ist nichts",
  nothingHereText: "Es wurde gelöscht, oder es gehört nicht Ihnen.",
  reference: (id) => `Referenz: ${id}.`,
  unreachable: {
    title: "Der Dienst ist nicht erreichbar",
    text: "Prüfen Sie Ihre Verbindung. Wenn sie funktioniert, versuchen Sie es in einer Minute erneut.",
  },
  somethingElse: {
    title: "Etwas anderes hat geantwortet",
    text: "Vielleicht ist ein Proxy oder eine Anmeldeseite dazwischen. Versuchen Sie es in einer Minute erneut.",
  },
  wentWrong: {
    title: "Etwas ist schiefgegangen",
    text: "Versuchen Sie es erneut; bleibt es so, laden Sie die Seite neu.",
  },
  dryRun: (allowed) =>
    rich`${strong("Probelauf.")} Das ist eine Kopie zum Ausprobieren: Alles wird angenommen und gezeigt, und nichts wird gesendet${
      allowed.length === 0 ? "" : `, außer an ${list(allowed)}`
    }.`,
  noReply: "Keine Antwort",
  notSent: "Nicht gesendet",
  justNow: "gerade eben",
  inAMoment: "gleich",
  allEvents: "Alle Ereignisse",
  events: {
    ping: { title: "Ping", about: "" },
    "product.update": {
      title: "Update veröffentlicht",
      about:
        "Sie veröffentlichen ein Update der Ressource. Enthält die vorige und die neue Version der Datei.",
    },
    "product.user.purchase": {
      title: "Kauf",
      about: "Ein Benutzer kauft die Ressource. Enthält die ID des Benutzers.",
    },
    "product.user.purchaseRemoved": {
      title: "Kauf zurückgenommen",
      about:
        "Sie erstatten einem Benutzer den Kauf, oder ein Benutzer bucht zurück. Kann für denselben Benutzer mehrmals gesendet werden.",
    },
    "product.user.firstDownload": {
      title: "Erster Download",
      about: "Ein Benutzer lädt die Ressource zum ersten Mal herunter.",
    },
  },
  deliveries: (count, andMore) =>
    `${whole(count)}${andMore === true ? "+" : ""} ${andMore === true ? "Zustellungen" : plural(count, "Zustellung", "Zustellungen")}`,
};

/** Errors that an owner or operator can meet on the pages. The others concern programmers, and are English. */
export const errors: Words["errors"] = {
  target_blocked: {
    title: "Diese Adresse ist nicht erlaubt, oder ihr Name ist nicht zu finden.",
    text: "Prüfen Sie die Schreibweise. Der Host braucht eine öffentliche Adresse; ein Betreiber kann andere per Einstellung erlauben.",
  },
  webhook_is_chat: {
    title: "Dieser Webhook schreibt in einen Chat, wo nichts signiert wird.",
    text: "Nur ein Webhook zu einem eigenen Server hat ein Geheimnis.",
  },
  url_invalid: {
    title: "Diese URL kann ein Webhook nicht haben.",
    text: "Verwenden Sie eine http- oder https-Adresse ohne Benutzernamen, Passwort und Fragment, mit einem üblichen Port wie 443, und tragen Sie sie vollständig ein, nicht mit „/…“ gekürzt.",
  },
  chat_unsupported: {
    title: "Für diesen Chat werden noch keine Nachrichten erstellt.",
    text: "Tragen Sie die URL eines eigenen Programms ein, das dort schreibt, oder die Webhook-URL eines Chats, den die Seite anbietet.",
  },
  webhook_limit_reached: {
    title: `Die Ressource hat schon ${LIMITS.webhooksPerResource} Webhooks.`,
    text: "Löschen Sie einen, der nicht gebraucht wird.",
  },
  webhook_not_active: {
    title: "Der Zustand des Webhooks lässt das nicht zu.",
    text: "Sehen Sie sich den Zustand des Webhooks und den Grund dafür an.",
  },
  webhook_changed: {
    title: "Der Webhook wurde inzwischen geändert. Hiervon wurde nichts gespeichert.",
    text: "Laden Sie ihn neu, und entscheiden Sie, was bleiben soll.",
  },
  dry_run: {
    title: "Dieser Dienst sendet nichts: Er ist eine Kopie zum Ausprobieren.",
    text: "Fragen Sie den Betreiber.",
  },
  resource_unknown: {
    title: "Diese Ressource gibt es nicht.",
    text: "Sie wurde gelöscht, oder sie gehört nicht Ihnen. Öffnen Sie diese Seite noch einmal von Ihrer Ressource aus.",
  },
  not_found: {
    title: "Das gibt es nicht, oder es gehört jemand anderem.",
    text: "Vielleicht wurde es gelöscht.",
  },
  unauthenticated: {
    title: "Der Schlüssel oder die Sitzung ist unbekannt, abgelaufen oder widerrufen.",
    text: "Öffnen Sie die Seite erneut, oder geben Sie einen gültigen Schlüssel ein.",
  },
  scope_missing: {
    title: "Dem Schlüssel fehlt ein nötiges Recht.",
    text: null,
  },
  portal_code_invalid: {
    title: "Dieser Link wurde schon benutzt, ist älter als fünf Minuten oder war nie gültig.",
    text: "Öffnen Sie die Seite noch einmal vom Marktplatz aus.",
  },
  too_many_attempts: {
    title: "Von dieser Adresse kamen zu viele falsche Versuche.",
    text: "Warten Sie etwas, und versuchen Sie es dann erneut.",
  },
  owner_limit_reached: {
    title: "Das ging zu oft hintereinander.",
    text: "Warten Sie etwas, und versuchen Sie es dann erneut.",
  },
  field_invalid: { title: "Eine Angabe ist nicht erlaubt.", text: null },
  overloaded: {
    title: "Der Dienst ist gerade überlastet.",
    text: "Versuchen Sie es gleich noch einmal.",
  },
  store_unavailable: {
    title: "Die Datenbank des Dienstes antwortet nicht.",
    text: "Versuchen Sie es gleich noch einmal.",
  },
  shutting_down: {
    title: "Der Dienst startet gerade neu.",
    text: "Versuchen Sie es gleich noch einmal.",
  },
  internal: {
    title: "Auf unserer Seite ist etwas schiefgegangen.",
    text: "Melden Sie es mit der Referenz.",
  },
};
