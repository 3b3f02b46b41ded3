import type { Words } from "../en/index.ts";
import { duration, plural, whole } from "../numbers.ts";
import { rich, strong } from "../rich.ts";

const many = (count: number, capped: boolean): string =>
  `${capped ? "mehr als " : ""}${whole(count)}`;

export const early: Words["early"] = {
  isFailing: (isChat) =>
    isChat
      ? "Zustellungen an den Chat schlagen fehl"
      : "Zustellungen an Ihren Server schlagen fehl",
  repliesAgain: (isChat, count, capped) =>
    `${isChat ? "Der Chat" : "Ihr Server"} antwortet wieder.${
      count === 0
        ? ""
        : ` ${capped ? "Mehr als " : ""}${whole(count)} ${plural(count, "Zustellung wartet", "Zustellungen warten")}. Jetzt senden?`
    }`,
  sendNow: (count, capped) => `Jetzt senden (${many(count, capped)})`,
  noneSince: (since, longestMs) =>
    rich`Seit ${since} wurde keine Zustellung angenommen; ein Ping zählt nicht. Dauert das ${duration(longestMs)}, wird der Webhook deaktiviert.`,
  attemptFailed:
    "Bei jeder davon ist ein Versuch fehlgeschlagen. Sie werden später von selbst erneut gesendet, oder alle jetzt.",
  pingAccepted: (when, since) =>
    rich`Ein Ping wurde angenommen (${when}). Seit ${since} wurde keine Zustellung angenommen. Senden Sie jetzt, was wartet, und sehen Sie, ob es ankommt.`,
  lastTime: (title, status) => strong(`Zuletzt: ${title}${status === null ? "" : ` (${status})`}.`),
  sendingWaited: "Wartendes wird gesendet",
  allSent: "Alles wurde gesendet",
  stopped: "Angehalten",
  stop: "Anhalten",
  goOn: "Fortsetzen",
  goesOn: "Es geht weiter, auch wenn Sie diese Seite schließen.",
  beingSent: (earlier) =>
    earlier === 0
      ? "Es wird gesendet."
      : `Es wird gesendet. Zuerst ${plural(earlier, "geht", "gehen")} ${whole(earlier)} ${plural(earlier, "frühere Zustellung", "frühere Zustellungen")} zum selben Käufer hinaus.`,
  sendItNow: "Jetzt senden",
  sendingNow: "Wird gesendet",
  sendAll: "Alles Wartende senden",
  sendAllText:
    "Zum Beispiel, wenn Ihr Server wieder läuft. Fehlgeschlagene Zustellungen werden jetzt gesendet statt beim nächsten Versuch, in der Reihenfolge der Ereignisse. Was erneut fehlschlägt, wartet wie zuvor.",
  counting: "Wird gezählt…",
  nothingWaits: "Nichts wartet auf einen späteren Versuch.",
  wait: (count, capped) =>
    `${capped ? "Mehr als " : ""}${whole(count)} ${plural(count, "Zustellung wartet", "Zustellungen warten")}.`,
};
