import type { Words } from "../en/index.ts";
import { list } from "../numbers.ts";
import { rich, strong } from "../rich.ts";

export const app: Words["app"] = {
  webhooks: "Webhooks",
  deliveries: "Zustellungen",
  events: "Ereignisse",
  pages: "Seiten",
  skip: "Zum Inhalt springen",
  back: "Zurück zu Ihrer Ressource",
  development: (allowed) =>
    rich`${strong("Entwicklungsmodus.")} Server auf diesem Rechner sind erlaubt (${list(allowed)}). Nicht für den echten Betrieb verwenden.`,
  offline: "Sie sind offline",
  offlineText:
    "Was Sie sehen, ist vielleicht veraltet. Webhooks arbeiten weiter, und diese Seite holt von selbst auf.",
  failed: "Dieser Teil konnte nicht gezeigt werden",
  failedText:
    "Der Dienst ist vielleicht nicht erreichbar, oder er wurde aktualisiert, während diese Seite offen war. Alles andere arbeitet weiter.",
  noSuchPage: "Diese Seite gibt es nicht",
  chooseAbove: "Wählen Sie oben eine aus.",
  schemes: { auto: "System", light: "hell", dark: "dunkel" },
  theme: (scheme) => `Farben: ${scheme}`,
  themeButton: (scheme, next) => `Farben: ${scheme}. Wechseln zu: ${next}`,
};

export const session: Words["session"] = {
  closed: {
    no_session: {
      title: "Öffnen Sie diese Seite von Ihrer Ressource aus",
      again:
        "Dieser Tab hat keine Sitzung. Der Marktplatz kennt Sie und führt Sie an diese Stelle zurück.",
      byHand:
        "Gehen Sie zur Seite Ihrer Ressource, öffnen Sie dort die Bearbeitung, und drücken Sie Webhooks.",
    },
    code_used: {
      title: "Dieser Link wurde schon benutzt oder ist zu alt",
      again:
        "Ein Link zu dieser Seite gilt einmal, für wenige Minuten. Der Marktplatz macht einen neuen.",
      byHand:
        "Ein Link zu dieser Seite gilt einmal, für wenige Minuten. Drücken Sie für einen neuen Webhooks in der Bearbeitung Ihrer Ressource.",
    },
    ended: {
      title: "Ihre Sitzung ist zu Ende",
      again:
        "Nichts ist verloren: Webhooks arbeiten weiter, und was Sie hier eingegeben haben, bleibt in diesem Tab.",
      byHand:
        "Nichts ist verloren: Webhooks arbeiten weiter, und was Sie hier eingegeben haben, bleibt in diesem Tab. Drücken Sie Webhooks in der Bearbeitung Ihrer Ressource, um zurückzukommen.",
    },
  },
  openAgain: "Erneut öffnen",
  otherAccount: "Dieser Tab zeigt jetzt ein anderes Konto",
  itIs: (owner) =>
    rich`Es ist ${owner}. Was für das vorige eingegeben und nicht gespeichert wurde, ist weg.`,
  ok: "OK",
  ends: (when) => rich`Ihre Sitzung endet ${when}`,
  typedIsKept: "Was Sie eingegeben haben, bleibt in diesem Tab.",
  goOn: "Weiter",
  beginNew: "Eine neue beginnen",
};
