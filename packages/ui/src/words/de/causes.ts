import type { Words } from "../en/index.ts";

type Causes = Words["verify"]["causes"];

/** Causes for which the advice is the same: their sentences, by code. */
function alike(advice: string, sentences: Readonly<Record<string, string>>): Causes {
  return Object.fromEntries(
    Object.entries(sentences).map(([code, sentence]) => [code, { sentence, advice }]),
  );
}

/** Why a signature does not fit, by the code of the cause. */
export const causes: Causes = {
  ...alike("Prüfen Sie die rohen Bytes, bevor etwas anderes sie liest.", {
    body_reprinted:
      "Die Signatur passt zum selben JSON in kurzer Schreibweise: Der Inhalt wurde gelesen und neu geschrieben.",
    members_reordered:
      "Die Signatur passt zum selben JSON in der ursprünglichen Reihenfolge: Der Inhalt wurde gelesen und neu geschrieben.",
    newline_added: "Die Signatur passt zum Inhalt ohne den Zeilenumbruch am Ende.",
    newline_removed: "Die Signatur passt zum Inhalt mit einem Zeilenumbruch am Ende.",
    bom_added: "Die Signatur passt zum Inhalt ohne das Byte Order Mark (BOM) am Anfang.",
    bom_removed: "Die Signatur passt zum Inhalt mit einem Byte Order Mark (BOM) am Anfang.",
    body_reencoded:
      "Die Signatur passt zum Inhalt in UTF-8: Seine Bytes wurden in einem anderen Zeichensatz gelesen oder geschrieben.",
    body_double_encoded:
      "Die Signatur passt zum Text darin: Der Inhalt wurde noch einmal als JSON-Text geschrieben.",
    body_empty: "Der Inhalt ist leer: Etwas hat ihn vorher gelesen.",
    body_is_object_text:
      "Der Inhalt ist der Text [object Object]: Ein gelesener Inhalt wurde in Text verwandelt.",
    body_lost_characters:
      "Der Inhalt enthält U+FFFD oder ist kein UTF-8: Seine Bytes wurden im falschen Zeichensatz gelesen oder geschrieben, und einige sind verloren.",
  }),
  ...alike("Entfernen Sie diese.", {
    secret_blanks: "Die Signatur passt zum Geheimnis ohne die Leerzeichen oder Umbrüche darum.",
    secret_quoted: "Die Signatur passt zum Geheimnis ohne die Anführungszeichen darum.",
  }),
  ...alike("Geben Sie das Geheimnis so an, wie es ausgegeben wurde.", {
    secret_prefix_removed: "Die Signatur passt zum Geheimnis mit whsec_ am Anfang.",
    secret_encoded: "Die Signatur passt zu dem Text, dessen base64 das Geheimnis ist.",
    secret_placeholder:
      "Ein angegebenes Geheimnis ist der Text einer leeren Einstellung oder ein Platzhalter.",
  }),
  ...alike(
    "Wahrscheinlich ist das Geheimnis das eines anderen Webhooks oder ein altes, oder die Anfrage ist gefälscht.",
    {
      search_incomplete:
        "Nicht nach jedem üblichen Fehler wurde gesucht: Der Inhalt ist groß oder tief verschachtelt, oder es sind viele Geheimnisse.",
      other_secret: "Kein üblicher Fehler erklärt es.",
    },
  ),
  clock: {
    sentence: "Die Signatur passt, aber ihre Zeit weicht zu weit von der Uhr ab.",
    advice: "Stellen Sie die Uhr Ihres Servers.",
  },
  timestamp_in_milliseconds: {
    sentence: "webhook-timestamp sieht nach Millisekunden aus.",
    advice: "Es sind Unix-Sekunden.",
  },
  standard_headers_missing: {
    sentence:
      "Die Signatur des Dienstes passt, aber webhook-signature kam nicht: Ein Proxy oder jemand anderes hat es entfernt.",
    advice:
      "Setzen Sie require nur dann auf service, wenn das Geheimnis importiert ist und keines erzeugen kann.",
  },
  standard_headers_changed: {
    sentence:
      "Die Signatur des Dienstes passt, der Inhalt stimmt also. Aber webhook-id oder webhook-timestamp ist nicht das Signierte.",
    advice: "Etwas hat sie geändert, oder jemand sendet die Anfrage noch einmal.",
  },
  secret_not_base64: {
    sentence:
      "Ein angegebenes Geheimnis ist kein base64 und kann deshalb nicht zu webhook-signature passen.",
    advice: "Setzen Sie require auf service, wenn es importiert wurde.",
  },
  body_indented: {
    sentence: "Die Signatur passt zum selben JSON, mit Leerzeichen oder Einrückungen geschrieben.",
    advice: "Der Absender hat einen anderen Text signiert als gesendet.",
  },
  body_base64: {
    sentence: "Die Signatur passt zu dem, was hier als Base64 steht.",
    advice:
      "Dekodieren Sie den Inhalt aus Base64, bevor Sie prüfen; bei manchen Gateways heißt das isBase64Encoded.",
  },
  secret_prefix_added: {
    sentence: "Die Signatur passt zum Geheimnis ohne whsec_ am Anfang.",
    advice: "Entfernen Sie diesen Anfang.",
  },
  secret_decoded: {
    sentence: "Die Signatur wurde mit dem aus base64 dekodierten Geheimnis gemacht.",
    advice: "Der Schlüssel dieses Headers ist der Text des Geheimnisses.",
  },
  secret_not_decoded: {
    sentence: "Die Signatur wurde mit dem Text des Geheimnisses gemacht.",
    advice: "Der Schlüssel von webhook-signature ist das aus base64 dekodierte Geheimnis.",
  },
  signature_upper_case: {
    sentence: "Die Signatur passt, aber in Großbuchstaben.",
    advice: "Geben Sie den Header unverändert weiter.",
  },
  signature_prefixed: {
    sentence: "Die Signatur passt, hat aber einen Vorsatz wie sha256=.",
    advice: "Im Header des Dienstes steht sie allein, in webhook-signature steht v1,….",
  },
  signature_base64: {
    sentence: "Die Signatur passt, ist aber bloßes base64.",
    advice:
      "Im Header des Dienstes stehen 64 hexadezimale Ziffern in Kleinbuchstaben, in webhook-signature steht v1,….",
  },
  wrong_header: {
    sentence: "Eine Signatur passt, steht aber im Header der anderen Art.",
    advice:
      "Hexadezimale Ziffern gehören in den Header des Dienstes, v1,… gehört in webhook-signature.",
  },
  other_service_name: {
    sentence: "Eine Signatur passt unter dem Namen eines anderen Dienstes.",
    advice: "Setzen Sie serviceName.",
  },
  body_compressed: {
    sentence: "Der Inhalt beginnt wie gzip-Daten.",
    advice: "Anfragen werden nie komprimiert; suchen Sie einen Proxy, der das tut.",
  },
  other_service_header: {
    sentence: "Eine Signatur kam unter dem Namen eines anderen Dienstes und passt auch nicht.",
    advice: "Sehen Sie nach, von welchem Dienst die Anfrage kommt.",
  },
};
