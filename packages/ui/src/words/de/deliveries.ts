import type { Words } from "../en/index.ts";
import { plural, whole } from "../numbers.ts";
import { code, rich } from "../rich.ts";

const NO_CONNECTION = "Prüfen Sie die Adresse und Firewalls vor Ihrem Server.";
const GOES_AGAIN = {
  next: "Nichts zu tun: Sie geht später von selbst erneut hinaus.",
  over: "Warten Sie, bis der Chat wieder antwortet.",
};
const UNREACHED = { title: "Der Chat war nicht zu erreichen", ...GOES_AGAIN };
const CRASHED =
  "Ihr Server oder ein Proxy davor ist vielleicht abgestürzt; sehen Sie in sein Protokoll.";
const BAD_SIGNATURE =
  "Wahrscheinlich passte die Signatur nicht: Vergleichen Sie das Geheimnis Ihres Servers mit dem unter Geheimnis, oder fügen Sie die Anfrage unter Anfragen prüfen ein. Spricht die Antwort von der Zeit, stellen Sie die Uhr Ihres Servers.";

const newOnes = (count: number): string =>
  `${whole(count)} ${plural(count, "neue Zustellung", "neue Zustellungen")}`;

export const deliveries: Words["deliveries"] = {
  about: "Jedes Ereignis an jeden Webhook, die neuesten zuerst.",
  states: {
    pending: "Ausstehend",
    waiting: "Wartet",
    leased: "Wird gesendet",
    held: "Zurückgehalten",
    delivered: "Zugestellt",
    dead: "Fehlgeschlagen",
    cancelled: "Abgebrochen",
  },

  // The log
  filter: "Zustellungen filtern",
  event: "Ereignis",
  state: "Zustand",
  time: "Zeit",
  allStates: "Alle Zustände",
  search: "Zustellungen durchsuchen",
  searchHint: "Bestellung, Käufer, Antwort, ID",
  statusForm: "Etwa 404 oder 5xx",
  searchTooShort: "Mindestens zwei Zeichen",
  searchFurther: "Weitersuchen",
  searchedAll: (count) =>
    plural(count, "1 Zustellung durchsucht.", `Alle ${whole(count)} Zustellungen durchsucht.`),
  searchedNewest: (count, backTo) =>
    `Die neuesten ${whole(count)} Zustellungen durchsucht${backTo === null ? "" : `, zurück bis ${backTo}`}.`,
  allAboutBuyer: (id) => `Alles zu Käufer ${id}`,
  onlyBuyer: (id) => `Käufer ${id}`,
  allBuyers: (id) => `Alle Käufer, nicht nur ${id}`,
  httpStatus: "HTTP-Status",
  status: "Status",
  place: "Ressource oder Webhook",
  allPlaces: "Alle Webhooks",
  allOf: (resource) => `Alle von ${resource}`,
  anyTime: "Jederzeit",
  lastHour: "Letzte Stunde",
  lastDay: "Letzter Tag",
  lastWeek: "Letzte Woche",
  range: "Von … bis …",
  noMatch: "Keine Treffer",
  noMatchText: "Keine Zustellung passt zu diesen Filtern.",
  clearFilters: "Filter löschen",
  nothingSentText:
    "Senden Sie einen Ping, oder warten Sie auf das erste Ereignis; es erscheint hier von selbst.",
  newOnes,
  showNew: "Neue Zustellungen zeigen",
  showNewOnes: (count) => `${newOnes(count)} zeigen`,
  keys: (key) =>
    rich`${key("j")} und ${key("k")} oder die Pfeiltasten bewegen, ${key("n")} geht zur nächsten fehlgeschlagenen, ${key("Enter")} öffnet.`,
  webhook: "Webhook",
  reply: "Antwort",
  attempts: "Versuche",
  earlierAttempts: (count) =>
    `${whole(count)} ${plural(count, "früherer Versuch wird", "frühere Versuche werden")} nicht gezeigt.`,
  created: "Angelegt",
  loadingMore: "Weitere werden geladen…",
  allThatIsKept: "Das ist alles, was aufbewahrt wird.",
  next: (when) => rich`${when}`,
  due: "noch nicht an der Reihe",
  user: (id) => `Benutzer ${id}`,
  byHand: "von Hand gesendet",
  deletedWebhook: "gelöschter Webhook",
  attempt: (count) => plural(count, "Versuch", "Versuche"),

  // One delivery
  delivery: "Zustellung",
  back: "Zurück",
  wholePage: "Ganze Seite",
  linkLabel: "Link zu dieser Zustellung",
  copyLink: "Link kopieren",
  happened: "Geschehen",
  recorded: "Aufgezeichnet",
  ended: "Beendet",
  why: "Warum",
  userId: "Benutzer-ID",
  deliveryId: "Zustellungs-ID",
  eventId: "Ereignis-ID",
  details: {
    buyerName: "Käufer",
    amount: "Betrag",
    currency: "Währung",
    orderId: "Bestellung",
    reason: "Grund",
  },
  reasons: {
    attempts_exhausted: "Alle vorgesehenen Versuche sind fehlgeschlagen.",
    throttled_too_often: "Ihr Server bat zu oft darum, dass weniger gesendet wird.",
    chat_refused: "Der Chat hat die Nachricht abgelehnt.",
    chat_deleted: "Der Webhook wurde im Chat gelöscht.",
    chat_token: "Der Chat kennt die URL des Webhooks nicht mehr.",
    chat_forbidden: "Der Chat lässt den Webhook nicht schreiben.",
    webhook_deleted: "Der Webhook wurde gelöscht.",
    user_erased: "Die Daten des Käufers wurden gelöscht, bevor dies gesendet wurde.",
    resource_deleted: "Die Ressource wurde gelöscht.",
    owner_changed: "Die Ressource ging an jemand anderen.",
    quarantined: "Der Dienst brach bei jedem Senden ab; dies wird allein gesendet, und später.",
    dropped:
      "Sie wurde zurückgehalten, während der Webhook angehalten war, und beim Fortsetzen verworfen.",
  },
  waitsForTurn: "Sie wartet, bis sie an der Reihe ist",
  isDue: (since) => rich`Sie war ${since} fällig. Zuerst werden andere an Ihren Server gesendet.`,
  nextAttempt: (when) => rich`Nächster Versuch ${when}`,
  nextReasons: {
    quarantined:
      "Bei jedem Senden brach der Dienst ohne Ergebnis ab. Ab jetzt wird dies allein gesendet, jedes Mal später.",
    untried: "Es gab noch keinen Versuch.",
    asked_to_wait:
      "Ihr Server bat in seiner Antwort auf eine andere um eine Pause für alle Zustellungen.",
    failed: "Der letzte Versuch ist fehlgeschlagen.",
    waiting:
      "Ein früheres Ereignis zum selben Käufer oder zur selben Ressource ist noch nicht beendet.",
    leased: "Sie wird gerade gesendet.",
    held: "Der Webhook ist angehalten oder deaktiviert.",
  },
  notTriedAgain: "Sie wird nicht von selbst wiederholt",
  wasSentAgain: "Sie wurde seitdem erneut gesendet",
  showIt: "Anzeigen",
  thenSendAgain: "Senden Sie sie danach erneut.",
  thenPing: "Senden Sie danach noch einen Ping.",
  defaultPosted: "Statt Ihrer Nachricht wurde die Standardnachricht geschrieben",
  sendAgain: "Erneut senden",
  sentAgain: "Erneut gesendet, als eigene Zustellung.",
  laterSent: "Seitdem wurde etwas Späteres gesendet",
  sendAnyway: "Trotzdem erneut senden",
  laterSentText: (isChat) =>
    `Ein späteres Ereignis zum selben Käufer hat diesen Webhook schon erreicht, zum Beispiel die Erstattung dieses Kaufs.${
      isChat
        ? ""
        : " Ein Server, der nicht auf die Reihenfolge achtet, könnte sie rückgängig machen: jemandem wieder Zugang geben, der sein Geld zurückbekam."
    }`,
  isPostedAlready: "Der Chat hat diese Nachricht schon",
  postedAgain: "Sie wird ein zweites Mal geschrieben, als weitere Nachricht.",
  isRepeat: rich`Ihr Server kann die Wiederholung erkennen: ${code("webhook-id")} ist dieselbe wie zuvor.`,

  // What came of an attempt
  ofStatus: {
    401: BAD_SIGNATURE,
    403: "Entweder passte die Signatur nicht, oder etwas vor Ihrem Code hat die Anfrage abgelehnt: ein Schutz vor CSRF oder eine Firewall. Das Protokoll Ihres Servers sagt, was.",
    404: "Ihr Server antwortet, aber nicht unter diesem Pfad. Vergleichen Sie ihn mit der Route in Ihrem Code.",
    405: "Ihr Server antwortet, nimmt unter diesem Pfad aber kein POST an. Vergleichen Sie Pfad und Methode mit der Route in Ihrem Code.",
    419: "Ihr Framework verlangt ein CSRF-Token, das ein Webhook nicht hat. Nehmen Sie diesen Pfad vom Schutz vor CSRF aus.",
  },
  outcomes: {
    ok: { title: "Ihr Server hat die Anfrage angenommen", next: "" },
    http_error: {
      title: "Ihr Server hat mit einem Fehler geantwortet",
      next: "Suchen Sie diese Anfrage im Protokoll Ihres Servers. Jeder Status von 200 bis 299 zählt als angenommen.",
    },
    redirect: {
      title: "Ihr Server hat mit einer Weiterleitung geantwortet",
      next: "Weiterleitungen wird nie gefolgt. Tragen Sie die endgültige Adresse als URL des Webhooks ein.",
    },
    throttled: {
      title: "Ihr Server bat darum, dass weniger gesendet wird",
      next: "Die Zustellung geht später von selbst erneut hinaus. Sie müssen nichts tun, solange es nicht so bleibt.",
      over: "Lassen Sie ihn mehr Anfragen annehmen, oder warten Sie, bis er das tut.",
    },
    gone: {
      title: "Ihr Server hat mit 410 Gone geantwortet",
      next: "Das hat den Webhook deaktiviert. Setzen Sie ihn fort, sobald Ihr Server wieder da ist.",
      test: "Ein Ping deaktiviert nichts. Dieselbe Antwort auf ein Ereignis deaktiviert den Webhook.",
    },
    aborted_by_receiver: {
      title: "Ihr Server bat, diese Zustellung zu beenden",
      next: "Er antwortete mit dem Header webhook-delivery: abort-message.",
    },
    disabled_by_receiver: {
      title: "Ihr Server bat, diesen Webhook zu deaktivieren",
      next: "Er antwortete mit dem Header webhook-delivery: disable. Setzen Sie den Webhook fort, damit es weitergeht.",
      test: "Er antwortete mit dem Header webhook-delivery: disable. Ein Ping deaktiviert nichts. Dieselbe Antwort auf ein Ereignis deaktiviert den Webhook.",
    },
    blocked: {
      title: "Diese Adresse ist nicht erlaubt",
      next: "Verwenden Sie einen Host mit öffentlicher Adresse und einen Port, der nicht für anderes reserviert ist.",
    },
    dns_failure: {
      title: "Der Name des Hosts wurde nicht gefunden",
      next: "Prüfen Sie die Schreibweise und die DNS-Einträge. Neue Einträge sind manchmal erst nach einer Stunde zu sehen.",
    },
    connection_refused: {
      title: "An diesem Host und Port nimmt nichts Verbindungen an",
      next: "Starten Sie Ihren Server, und prüfen Sie den Port in der URL.",
    },
    connection_failed: { title: "Es kam keine Verbindung zustande", next: NO_CONNECTION },
    connection_closed: {
      title: "Die Verbindung wurde geschlossen, bevor eine Antwort kam",
      next: CRASHED,
    },
    connection_reset: { title: "Ihr Server hat die Verbindung abgebrochen", next: CRASHED },
    timeout: {
      title: "Ihr Server hat zu lange gebraucht",
      next: "Antworten Sie zuerst, und erledigen Sie die Arbeit danach: Die Zeit eines Versuchs ist begrenzt.",
    },
    tls_certificate_expired: {
      title: "Das Zertifikat Ihres Servers ist abgelaufen",
      next: "Erneuern Sie es; vielleicht läuft die automatische Erneuerung nicht mehr.",
    },
    tls_certificate_untrusted: {
      title: "Dem Zertifikat Ihres Servers wird nicht vertraut",
      next: "Es ist selbst signiert, oder Ihr Server sendet seine Zwischenzertifikate nicht.",
    },
    tls_name_mismatch: {
      title: "Das Zertifikat Ihres Servers gilt für einen anderen Hostnamen",
      next: "Verwenden Sie einen Namen, für den das Zertifikat gilt, oder besorgen Sie eines für diesen Namen.",
    },
    tls_failure: {
      title: "Es kam keine verschlüsselte Verbindung zustande",
      next: "Ihr Server braucht TLS 1.2 oder neuer und darf kein Client-Zertifikat verlangen. Ist das überhaupt ein https-Port?",
    },
    invalid_response: {
      title: "Die Antwort ist kein gültiges HTTP",
      next: "Gibt es an diesem Port einen Webserver?",
    },
    response_headers_too_large: {
      title: "Die Header der Antwort sind zu groß",
      next: "Höchstens 16 KiB werden gelesen.",
    },
    too_many_interim_responses: {
      title: "Ihr Server hat endlos Zwischenantworten gesendet",
      next: "Höchstens acht werden vor der Antwort gelesen.",
    },
    chat_refused: {
      title: "Der Chat hat die Nachricht abgelehnt",
      next: "Seine Antwort sagt, warum. Prüfen Sie unter Nachrichten, was Sie an der Nachricht geändert haben; sie wird nicht von selbst erneut gesendet.",
    },
    chat_deleted: {
      title: "Der Webhook wurde im Chat gelöscht",
      next: "Das hat diesen Webhook deaktiviert. Legen Sie im Chat einen neuen an, tragen Sie dessen URL unter Einstellungen ein, und setzen Sie fort.",
    },
    chat_token: {
      title: "Der Chat kennt die URL dieses Webhooks nicht mehr",
      next: "Das hat diesen Webhook deaktiviert. Kopieren Sie die URL im Chat erneut, tragen Sie sie unter Einstellungen ein, und setzen Sie fort.",
    },
    chat_forbidden: {
      title: "Der Chat lässt diesen Webhook nicht schreiben",
      next: "Das hat diesen Webhook deaktiviert. Legen Sie für einen anderen Chat einen Webhook an, tragen Sie dessen URL unter Einstellungen ein, und setzen Sie fort.",
    },
    chat_message_gone: {
      title: "Die Nachricht des Verkaufs ist nicht mehr da",
      next: "Deshalb bekommt die Erstattung eine eigene Nachricht.",
    },
    outcome_unknown: {
      title: "Die Anfrage wurde begonnen, ihr Ergebnis ist nicht bekannt",
      next: "Unsere Seite wurde unterbrochen. Die Zustellung geht von selbst erneut hinaus, mit derselben webhook-id.",
      over: "Unsere Seite wurde unterbrochen. Sehen Sie im Protokoll Ihres Servers nach, ob er die Anfrage bekam.",
    },
  },
  ofChat: {
    ok: { title: "Der Chat hat die Nachricht angenommen", next: "" },
    throttled: { title: "Der Chat bat darum, weniger zu senden", ...GOES_AGAIN },
    http_error: { title: "Der Chat hat mit einem Fehler geantwortet", ...GOES_AGAIN },
    dns_failure: UNREACHED,
    connection_refused: UNREACHED,
    connection_failed: UNREACHED,
    connection_closed: UNREACHED,
    connection_reset: UNREACHED,
    timeout: { title: "Der Chat hat nicht rechtzeitig geantwortet", ...GOES_AGAIN },
    tls_certificate_expired: UNREACHED,
    tls_certificate_untrusted: UNREACHED,
    tls_name_mismatch: UNREACHED,
    tls_failure: UNREACHED,
    invalid_response: { title: "Die Antwort kommt nicht vom Chat", ...GOES_AGAIN },
  },
  ours: {
    title: "Etwas auf unserer Seite hat das Senden verhindert",
    next: "Das lag an uns; die Zustellung geht von selbst erneut hinaus.",
    over: "Das lag an uns. Warten Sie einen Moment.",
  },
  unsent: {
    throttled: {
      title: "An diesen Host gehen gerade zu viele Anfragen",
      next: "Versuchen Sie es gleich noch einmal.",
    },
    timeout: { title: "Es kam nicht rechtzeitig eine Verbindung zustande", next: NO_CONNECTION },
    connection_closed: {
      title: "Ihr Server hat die Verbindung sofort geschlossen",
      next: NO_CONNECTION,
    },
    connection_reset: {
      title: "Ihr Server hat die Verbindung sofort abgebrochen",
      next: NO_CONNECTION,
    },
  },
  unencrypted: {
    timeout: {
      title: "Es kam nicht rechtzeitig eine verschlüsselte Verbindung zustande",
      next: "An diesem Port nimmt etwas Verbindungen an, beendet aber den TLS-Handshake nicht. Ist das ein https-Port, und hat Ihr Server freie Prozesse?",
    },
  },
  short: {
    ok: "Angenommen",
    blocked: "Adresse nicht erlaubt",
    dns_failure: "Hostname nicht gefunden",
    connection_refused: "Verbindung abgelehnt",
    connection_failed: "Keine Verbindung",
    connection_closed: "Verbindung geschlossen",
    connection_reset: "Verbindung abgebrochen",
    timeout: "Dauerte zu lange",
    throttled: "Bat zu warten",
    tls_certificate_expired: "Zertifikat abgelaufen",
    tls_certificate_untrusted: "Zertifikat ohne Vertrauen",
    tls_name_mismatch: "Zertifikat für anderen Namen",
    tls_failure: "Nicht verschlüsselt verbunden",
    invalid_response: "Keine gültige HTTP-Antwort",
    response_headers_too_large: "Header zu groß",
    too_many_interim_responses: "Endlose Zwischenantworten",
    outcome_unknown: "Ergebnis nicht bekannt",
  },
  shortOurs: "Von uns nicht gesendet",
  redirect: "Weiterleitung",
  statuses: {
    400: "Ungültige Anfrage",
    401: "Nicht angemeldet",
    403: "Verboten",
    404: "Nicht gefunden",
    405: "Methode nicht erlaubt",
    408: "Zeit überschritten",
    409: "Konflikt",
    410: "Nicht mehr da",
    413: "Zu groß",
    415: "Typ nicht unterstützt",
    422: "Nicht verarbeitbar",
    429: "Zu viele Anfragen",
    500: "Serverfehler",
    501: "Nicht implementiert",
    502: "Fehler am Gateway",
    503: "Nicht verfügbar",
    504: "Gateway ohne Antwort",
  },
};

export const live: Words["live"] = {
  connecting: "Verbindet",
  live: "Live",
  offline: "Offline",
  away: "Verbindet neu",
};
