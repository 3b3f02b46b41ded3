import type { Words } from "../en/index.ts";
import { duration, plural, whole } from "../numbers.ts";
import { rich, strong } from "../rich.ts";

const many = (count: number, capped: boolean): string =>
  `${capped ? "mehr als " : ""}${whole(count)}`;
const begun = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const replay: Words["replay"] = {
  sendMany: "Viele erneut senden",
  sendMissing: "Fehlendes senden",
  sent: "Gesendet",
  sending: (missing) => (missing ? "Wird gesendet" : "Wird erneut gesendet"),
  send: (count, capped, missing) =>
    begun(`${many(count, capped)} ${missing ? "senden" : "erneut senden"}`),
  of: "Zeitraum",
  lastHour: "Die letzte Stunde",
  lastDay: "Der letzte Tag",
  lastWeek: "Die letzte Woche",
  allKept: "Alles Aufbewahrte",
  sinceEvent: "Seit diesem Ereignis",
  whatToSend: "Senden",
  again: "Zustellungen erneut",
  againText: (isChat) =>
    isChat
      ? "Zum Beispiel nach einem Ausfall des Chats."
      : "Zum Beispiel nach einem Ausfall Ihres Servers.",
  missing: "Ereignisse, die nie hierher gesendet wurden",
  missingText: "Weil der Webhook später angelegt oder das Ereignis später ausgewählt wurde.",
  thatAre: "Im Zustand",
  nothingMissing: "Nichts fehlt.",
  neverSent: (count, capped) =>
    begun(
      `${many(count, capped)} ${plural(count, "Ereignis wurde", "Ereignisse wurden")} nie hierher gesendet.`,
    ),
  noneFits: "Keine Zustellung passt.",
  fit: (count, capped) =>
    begun(`${many(count, capped)} ${plural(count, "Zustellung passt", "Zustellungen passen")}.`),
  arrivedLeftOut: "Zustellungen, die seitdem erneut gesendet wurden und ankamen, bleiben weg.",
  repeated: (isChat) =>
    isChat
      ? "Was schon zugestellt wurde, wird ein zweites Mal geschrieben."
      : "Was schon zugestellt wurde, wird ein zweites Mal gesendet, mit derselben webhook-id. Ihr Server sollte eine ID übergehen, die er schon hatte.",
  alsoLate: (count) =>
    `Auch ${whole(count)}, zu deren Käufer später ein Ereignis hierher gesendet wurde`,
  alsoLateText: (isChat) =>
    `Zum Beispiel ein Kauf, der seitdem erstattet wurde.${
      isChat
        ? ""
        : " Ein Server, der nicht auf die Reihenfolge achtet, könnte jemandem wieder Zugang geben, der sein Geld zurückbekam."
    }`,
  progress: "Fortschritt",
  someSent: (done, of, capped) => `${whole(done)} von ${many(of, capped)} gesendet`,
  over: (done, waiting) =>
    waiting === 0
      ? `${whole(done)} gesendet. Das Ergebnis jeder Zustellung steht im Protokoll.`
      : `${whole(done)} gesendet. ${whole(waiting)} ${plural(waiting, "wartet", "warten")} auf einen späteren Versuch.`,
  stoppedOthersWait: (done, rest, capped) =>
    `Angehalten. ${whole(done)} gesendet; ${many(rest, capped)} ${plural(rest, "wartet", "warten")} wie zuvor.`,
  stopped: (done, of, capped) =>
    `Angehalten. ${whole(done)} von ${many(of, capped)} gesendet; begonnene Zustellungen werden noch gesendet.`,
  rate: (rate) => `${rate} je Sekunde`,
  rateAndLeft: (rate, left) => `${rate} je Sekunde, noch etwa ${left}`,
};

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
