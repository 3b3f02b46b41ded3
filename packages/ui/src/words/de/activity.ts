import type { Words } from "../en/index.ts";
import { list, whole } from "../numbers.ts";

const replies = (half: string, most: string): string =>
  `die Hälfte der Antworten innerhalb von ${half}, 95 % innerhalb von ${most}`;

export const activity: Words["activity"] = {
  title: "Aktivität",
  loading: "Wird geladen.",
  inAll: (counts) => `Insgesamt: ${counts}.`,
  inAllAndReplies: (counts, half, most) => `Insgesamt: ${counts}; ${replies(half, most)}.`,
  chosen: (counts) => `Ausgewählt: ${counts}.`,
  showAllTimes: "Alle Zeiten zeigen",
  period: "Zeitraum",
  periods: {
    day: "Letzter Tag, je Stunde",
    week: "Letzte Woche, je 6 Stunden",
    month: "Letzte 30 Tage, je Tag",
  },
  unreadable: "Das Diagramm konnte nicht gelesen werden. Es wird von selbst erneut versucht.",
  asTable: "Als Tabelle zeigen",
  chartAsTable: "Diagramm als Tabelle",
  delivered: "Zugestellt",
  triedAgain: "Wiederholt",
  givenUp: "Aufgegeben",
  halfWithin: "Hälfte der Antworten innerhalb von",
  mostWithin: "95 % innerhalb von",
  legend: "Legende",
  retried: "Fehlgeschlagen, wiederholt",
  half: "Hälfte der Antworten",
  most: "95 % der Antworten",
  stepByStep: "Aktivität, Schritt für Schritt",
  drag: "Ziehen Sie über das Diagramm, um das Protokoll einzugrenzen, oder verwenden Sie die Pfeiltasten, die Umschalttaste und die Eingabetaste.",
  extend: "Umschalttaste und Pfeile erweitern, die Eingabetaste grenzt das Protokoll ein.",
  nothingSent: "nichts gesendet",
  counts: (delivered, retried, givenUp) =>
    list([
      `${whole(delivered)} zugestellt`,
      ...(retried === 0 ? [] : [`${whole(retried)} wiederholt`]),
      ...(givenUp === 0 ? [] : [`${whole(givenUp)} aufgegeben`]),
    ]),
  replies,
  orMore: (time) => `${time} oder mehr`,
};
