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
  failed: "Diese Seite konnte nicht gezeigt werden",
  failedText: "Der Dienst ist vielleicht nicht erreichbar. Die anderen Seiten arbeiten weiter.",
  noSuchPage: "Diese Seite gibt es nicht",
  chooseAbove: "Wählen Sie oben eine aus.",
  schemes: { auto: "System", light: "hell", dark: "dunkel" },
  theme: (scheme) => `Farben: ${scheme}`,
  themeButton: (scheme, next) => `Farben: ${scheme}. Wechseln zu: ${next}`,
};
