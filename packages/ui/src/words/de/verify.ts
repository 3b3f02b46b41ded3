import type { Words } from "../en/index.ts";
import { code, rich } from "../rich.ts";
import { causes } from "./causes.ts";

export const verify: Words["verify"] = {
  // Does it refuse forgeries?
  title: "Lehnt mein Server Fälschungen ab?",
  about:
    "Sendet Ihrem Server einen Ping und danach elf weitere Anfragen: zwei, die er annehmen muss, und neun gefälschte oder mitgeschnittene, die er ablehnen muss. Alle sind Testereignisse, in einem Header gekennzeichnet.",
  check: "Meinen Server prüfen",
  waiting: (seconds) => rich`Warten auf Ihren Server. ${seconds}`,
  findings: {
    right: "Richtig",
    remark: "Könnte besser sein",
    wrong: "Falsch",
    unknown: "Nicht bekannt",
  },
  replied: (status) => `Ihr Server antwortete mit ${status}.`,
  judgements: {
    refuses_forgeries: { sentence: "Ihr Server lehnt gefälschte Anfragen ab.", advice: null },
    accepts_recorded: {
      sentence:
        "Ihr Server lehnt Fälschungen ab, nimmt aber mitgeschnittene Anfragen ein zweites Mal an.",
      advice:
        "Prüfen Sie webhook-signature und die Zeit, und merken Sie sich jede webhook-id. Code dafür steht auf der Seite des Webhooks unter Anfragen prüfen.",
    },
    accepts_forgeries: {
      sentence:
        "Ihr Server nimmt gefälschte Anfragen an: Wer seine Adresse kennt, kann Ihr Produkt verschenken.",
      advice:
        "Prüfen Sie die Signatur vor allem anderen, und antworten Sie mit 401, wenn sie nicht passt. Code dafür steht auf der Seite des Webhooks unter Anfragen prüfen.",
    },
    cannot_tell: {
      sentence:
        "Nicht festzustellen: Ihr Server antwortet mit 2xx auf gefälschte Anfragen. Handelt er danach, kann jeder, der seine Adresse kennt, Ihr Produkt verschenken.",
      advice:
        "Antworten Sie mit 401 auf eine Anfrage, deren Signatur nicht passt, und prüfen Sie erneut.",
    },
    no_reply: {
      sentence:
        "Nicht festzustellen: Ihr Server hat nicht auf jede gefälschte Anfrage geantwortet, oder er bat zu warten.",
      advice:
        "Prüfen Sie in einer Minute erneut. Antworten Sie sofort mit 401 auf eine Anfrage, deren Signatur nicht passt.",
    },
    ping_failed: {
      sentence:
        "Ihr Server hat den echten Ping nicht angenommen, deshalb wurde sonst nichts gesendet.",
      advice: "Sorgen Sie zuerst dafür, dass ein Ping mit 2xx angenommen wird.",
    },
  },
  probes: {
    repeat: {
      title: "Dasselbe Ereignis noch einmal",
      wrong:
        "Geht eine Antwort verloren, kommt das Ereignis erneut. Antworten Sie mit 2xx auf eine bekannte webhook-id, und tun Sie sonst nichts.",
    },
    unknown_event: {
      title: "Ein Ereignis mit einem unbekannten Namen",
      wrong:
        "Es können neue Arten von Ereignissen kommen. Antworten Sie mit 2xx auf unbekannte Namen, sonst gelten deren Zustellungen als fehlgeschlagen.",
    },
    no_signature: {
      title: "Ganz ohne Signatur",
      wrong: "Eine Anfrage ohne jede Signatur wurde angenommen.",
    },
    empty_signature: {
      title: "Leere Signaturen",
      wrong:
        "Leere Signaturen wurden angenommen. Vielleicht werden nur so viele Zeichen verglichen, wie kamen, oder das Geheimnis ist leer.",
    },
    wrong_signature: {
      title: "Mit einem anderen Geheimnis signiert",
      wrong: "Signaturen eines anderen Geheimnisses wurden angenommen.",
    },
    near_signature: {
      title: "Ein Zeichen der Signatur geändert",
      wrong:
        "Eine Signatur mit einem falschen Zeichen wurde angenommen. Vergleichen Sie sie vollständig.",
    },
    changed_body: {
      title: "Ein Inhalt, der nach dem Signieren geändert wurde",
      wrong:
        "Ein geänderter Inhalt wurde angenommen. Prüfen Sie den rohen Inhalt, genau wie er kam.",
    },
    not_json: {
      title: "Kein JSON, und mit einem anderen Geheimnis signiert",
      wrong: "Ein Inhalt, der kein JSON ist, wurde angenommen.",
    },
    other_id: {
      title: "Eine mitgeschnittene Anfrage mit anderer webhook-id",
      wrong:
        "Wer eine Anfrage mitgeschnitten hat, kann sie beliebig oft als neues Ereignis senden. Prüfen Sie webhook-signature, das auch webhook-id sichert.",
    },
    old: {
      title: "Eine Anfrage von vor einer Stunde",
      wrong:
        "Eine alte Anfrage wurde angenommen. Lehnen Sie einen webhook-timestamp ab, der mehr als fünf Minuten abweicht.",
    },
    no_standard_signature: {
      title: "Eine mitgeschnittene Anfrage ohne ihre webhook-…-Header",
      wrong:
        "Eine Anfrage ohne webhook-signature wurde angenommen; weder ihre ID noch ihre Zeit ist also gesichert. Verlangen Sie webhook-signature.",
    },
  },
  accepted: "Angenommen, wie es sein muss.",
  refused: "Abgelehnt, wie es sein muss.",
  noReply: "Es kam keine Antwort.",
  askedLess: "Ihr Server bat darum, dass weniger gesendet wird.",
  crashed:
    "Mit einem Serverfehler abgelehnt: wahrscheinlich durch einen Absturz. Antworten Sie stattdessen mit 401.",
  parsedFirst:
    "Der Inhalt wird gelesen, bevor seine Signatur geprüft ist. Prüfen Sie zuerst, und lesen Sie danach.",

  // Code
  codeTitle: "Code für Ihren Server",
  codeText: (signature) =>
    rich`${signature} ist der SHA-256-HMAC des rohen Inhalts, mit dem Geheimnis als Schlüssel, als 64 hexadezimale Ziffern.`,
  codeStandard: (service) =>
    rich`${code("webhook-signature")} sichert auch ${code("webhook-id")} und die Zeit des Sendens. Weicht eines ab oder liegt die Zeit nicht nahe, ist die Anfrage nicht von ${service}: Handeln Sie nicht danach.`,
  codeImported: (service) =>
    rich`Weicht es ab, ist die Anfrage nicht von ${service}: Handeln Sie nicht danach. Dieses Geheimnis wurde importiert und kann kein ${code("webhook-signature")} erzeugen: Wenn Ihr Server unsere Bibliothek verwendet, setzen Sie ${code('require: "service"')}, oder erzeugen Sie besser ein neues Geheimnis.`,
  language: "Sprache",
  codeIn: (language) => `Code: ${language}`,
  byHand: "von Hand",

  // One request
  requestTitle: "Eine Anfrage prüfen",
  requestText:
    "Fügen Sie ein, was Ihr Server bekam. Sie erfahren, ob die Signatur passt, und wenn nicht, was wahrscheinlich schiefging.",
  bodyText: "Genau wie er kam, ohne ein geändertes Leerzeichen oder einen geänderten Umbruch.",
  thisWebhooks: "Das dieses Webhooks",
  inMyServer: "Das in meinem Server",
  secretInServer: "Das Geheimnis in meinem Server",
  notStored: "Es wird geprüft und nicht gespeichert.",
  checkIt: "Prüfen",
  fits: "Die Signatur passt.",
  fitsNot: "Die Signatur passt nicht.",
  genuine: "Die Anfrage ist echt.",
  genuineEvent: (event) => `Die Anfrage ist echt: ${event}.`,
  timely: rich`Bibliotheken nehmen sie nur innerhalb von fünf Minuten nach ihrem ${code("webhook-timestamp")} an.`,
  causes,
};
