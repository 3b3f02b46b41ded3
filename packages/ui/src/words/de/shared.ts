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
  nothingHere: "Hier ist nichts",
  nothingHereText: "Es wurde gelöscht, oder es gehört nicht Ihnen.",
  reference: (id) => `Referenz: ${id}.`,
  unreachable: {
    title: "Der Dienst ist nicht erreichbar",
    text: "Prüfen Sie Ihre Verbindung; Webhooks arbeiten währenddessen weiter.",
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
