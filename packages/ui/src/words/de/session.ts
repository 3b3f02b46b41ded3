import type { Words } from "../en/index.ts";
import { rich } from "../rich.ts";

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
