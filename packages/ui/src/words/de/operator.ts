import type { Words } from "../en/index.ts";
import { duration, plural, whole } from "../numbers.ts";

export const operator: Words["operator"] = {
  title: "Betreiber",
  refreshed: "Alle zwei Sekunden aktualisiert.",
  forgetKey: "Schlüssel vergessen",
  apiKey: "API-Schlüssel",
  apiKeyText:
    "Mit dem Recht admin oder operator:read. Er bleibt im Speicher dieser Seite und ist nach dem Neuladen weg.",
  showKey: "Schlüssel zeigen",
  keyRefused: "Dieser Schlüssel wird nicht angenommen: Er ist unbekannt oder wurde widerrufen.",
  open: "Öffnen",

  dueNow: "Jetzt fällig",
  oldestDue: "Älteste fällige",
  beingSent: "In Arbeit",
  waiting: "Wartend",
  perSecond: "Gesendet je Sekunde",
  store: "Datenbank",

  rate: "Rate, gesendet je Sekunde",
  lag: "Rückstand, Alter der ältesten fälligen",
  backlog: "Stau, fällig und nicht gesendet",
  openNow: "Offen, in Arbeit",
  trend: (title, now, least, most, time) =>
    `${title}: jetzt ${now}; zwischen ${least} und ${most} in den letzten ${time}`,
  most: (most, time) => `höchstens ${most}, über ${time}`,

  failures: "Fehlschläge nach Host",
  failuresText: "Dieser Instanz, in den letzten 15 Minuten; die meisten Fehlschläge zuerst.",
  failedOf: (failed, all) => `${whole(failed)} von ${whole(all)} fehlgeschlagen`,
  suspects: "Verdächtige Zustellungen",
  suspectsText:
    "Zustellungen, die vielleicht den Prozess beendet haben, der sie sendete, nach Stufe.",
  quarantined: "In Quarantäne",
  level: (level) => `Stufe ${whole(level)}`,
  heartbeats: "Lebenszeichen",
  heartbeatsText: (leaseMs) =>
    `Alter des letzten Lebenszeichens jeder Instanz. Nach ${duration(leaseMs)} halten die anderen eine Instanz für tot.`,
  heartbeat: (version, age) => `Version ${version}, Lebenszeichen vor ${age}`,
  networkSuspected: (heartbeat) => `${heartbeat}, erreicht fast keinen Server`,

  attemptsTitle: "Versuche nach Host",
  attemptsText:
    "Dieser Instanz, in den letzten 15 Minuten; die 20 meistgenutzten Hosts, Fehlschläge zuerst.",
  noAttempt: "Kein Versuch in den letzten 15 Minuten.",
  host: "Host",
  outcome: "Ergebnis",

  failingTitle: "Fehlschlagende Webhooks",
  failingText:
    "Aktive, von denen keine Anfrage angenommen wird. Die 20, die zuletzt damit begannen:",
  noneFailing: "Keiner schlägt fehl.",
  since: "Seit",

  disabledTitle: "Deaktivierte Webhooks",
  disabledText: (active, paused, disabled) =>
    `${whole(active)} aktiv, ${whole(paused)} angehalten, ${whole(disabled)} deaktiviert. Die 20 zuletzt geänderten:`,
  noneDisabled: "Keiner ist deaktiviert.",
  reason: "Grund",
  owner: "Eigentümer",
  changed: "Geändert",

  instances: "Instanzen",
  noInstance: "Keine hat eine gültige Belegung.",
  name: "Name",
  version: "Version",
  started: "Gestartet",
  renewed: "Erneuert",

  notices: "Mitteilungen",
  noticesText: "Die letzten 20 Mitteilungen für Eigentümer.",
  noneYet: "Noch keine.",
  when: "Wann",
  what: "Was",

  changes: "Änderungen",
  changesText:
    "Die letzten 20 aus dem Änderungsprotokoll: wer was geändert hat. Ohne die Sitzungen der Eigentümer.",
  who: "Wer",
  of: "Betrifft",
  actors: {
    api_key: "Schlüssel",
    portal_session: "Eigentümer",
    system: "Dienst",
    command_line: "Befehl",
  },

  service: "Dienst",
  runningFor: "Läuft seit",
  database: "Datenbank",
  allowed: "Erlaubt, obwohl nicht öffentlich",
  none: "keine",
  masterKeys: "Hauptschlüssel",
  encrypts: "(verschlüsselt neue Geheimnisse)",
  notPosted: "nicht übermittelt",
  postedTo: (host, state, failure) =>
    `übermittelt an ${host}: ${state}${failure === null ? "" : `; letzter Versuch: ${failure}`}`,
  allTaken: "alles abgeholt",
  wait: (count, time) => `${whole(count)} ${plural(count, "wartet", "warten")}, seit ${time}`,
};
