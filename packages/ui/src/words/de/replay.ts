import type { Words } from "../en/index.ts";
import { plural, whole } from "../numbers.ts";

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
  arrivedLeftOut: "Was seitdem erneut gesendet wurde und angekommen ist, bleibt weg.",
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
      ? `${whole(done)} gesendet. Was aus jeder wurde, steht im Protokoll.`
      : `${whole(done)} gesendet. ${whole(waiting)} ${plural(waiting, "wartet", "warten")} auf einen späteren Versuch.`,
  stoppedOthersWait: (done, rest, capped) =>
    `Angehalten. ${whole(done)} gesendet; ${many(rest, capped)} ${plural(rest, "wartet", "warten")} wie zuvor.`,
  stopped: (done, of, capped) =>
    `Angehalten. ${whole(done)} von ${many(of, capped)} gesendet; was begonnen wurde, wird noch gesendet.`,
  rate: (rate) => `${rate} je Sekunde`,
  rateAndLeft: (rate, left) => `${rate} je Sekunde, noch etwa ${left}`,
};
