import type { Words } from "../en/index.ts";
import { code, rich } from "../rich.ts";

export const secret: Words["secret"] = {
  secret: "Geheimnis",
  oldSecret: "Altes Geheimnis",
  newSecret: "Neues Geheimnis",
  lower: {
    secret: "Geheimnis",
    oldSecret: "altes Geheimnis",
    newSecret: "neues Geheimnis",
    address: "Adresse",
  },
  about:
    "Signiert jede Anfrage. Wer es hat, kann Anfragen an Ihren Server fälschen. Schreiben Sie es deshalb nicht in Code oder Chats.",
  imported: rich`Dieses Geheimnis wurde importiert und ist kein base64; ${code("webhook-signature")} lässt sich damit nicht erzeugen. Wenn Ihr Server unsere Bibliothek verwendet, setzen Sie ${code('require: "service"')}. Dann sichert nichts ${code("webhook-id")} und die Zeit des Sendens: Ein neues Geheimnis ist besser.`,
  notShown: (service) =>
    `${service} hat diese Seite ohne das Recht geöffnet, Geheimnisse zu sehen. Der Eigentümer sieht sie auf seiner eigenen Seite.`,
  show: "Zeigen",
  hide: "Verbergen",
  showThis: (label) => `Zeigen: ${label}`,
  hideThis: (label) => `Verbergen: ${label}`,
  wholeAddress: "Ganze Adresse",
  wholeAddressText:
    "Wer sie kennt, kann dorthin senden. Andere Seiten zeigen deshalb nur den Host. Der Dienst vermerkt, dass sie gezeigt wurde.",
  showAddress: "Ganze Adresse zeigen",

  // A new one
  newSecretText:
    "Wenn das Geheimnis bekannt geworden ist, oder wenn Sie es von Zeit zu Zeit wechseln.",
  how: "Wie das Geheimnis gewechselt wird",
  overlap: "Ich wechsle, wenn mein Server das neue hat",
  overlapText:
    "Bis dahin signieren beide Geheimnisse, und nichts wird abgelehnt. Sie können vorher einen Ping senden, der mit dem neuen signiert ist.",
  leaked: "Es ist bekannt geworden: jetzt wechseln",
  leakedText:
    "Das alte Geheimnis gilt sofort nicht mehr. Ihr Server lehnt Anfragen ab, bis er das neue hat; sie werden später erneut gesendet.",
  oldStops: "Das alte Geheimnis endet",
  afterDay: "von selbst nach einem Tag",
  afterWeek: "von selbst nach einer Woche",
  byHand: "erst, wenn ich es sage",
  switchNow: "Jetzt wechseln",
  makeNew: "Neues Geheimnis erzeugen",
  switched: "Gewechselt",
  switchedText: "Jede Anfrage wird ab jetzt mit dem neuen Geheimnis signiert.",
  introducing: "Ein neues Geheimnis wird eingeführt",
  bothUntilSwitch: "Beide Geheimnisse signieren, bis Sie wechseln.",
  bothUntil: (until) => rich`Beide Geheimnisse signieren bis ${until}, danach das neue allein.`,
  stepCopy: "Kopieren Sie das neue Geheimnis in Ihren Server.",
  stepPing: (old, next) =>
    rich`Senden Sie einen damit signierten Ping, und sehen Sie im Protokoll Ihres Servers nach, ob er geprüft wurde. Bis zum Wechsel steht die Signatur des alten in ${old}, die des neuen in ${next}.`,
  stepSwitch: "Wechseln Sie.",
  pingNew: "Ping mit dem neuen Geheimnis",
  newSigns: "Das neue Geheimnis signiert jetzt allein.",
  keepOld: "Altes Geheimnis behalten",
  oldStays: "Das alte Geheimnis bleibt.",
};
