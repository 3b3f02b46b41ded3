/**
 * Every error code there is. A code is never reused with another meaning. `docs/errors.md` has one section per
 * code and is tested against this table.
 */
export interface ErrorEntry {
  /** HTTP status of an API answer; absent for errors that never become one. */
  status?: number;
  /** One sentence: what is wrong. */
  title: string;
  /** One sentence: what to do. */
  advice: string;
}

export const ERRORS = {
  // The request itself
  json_invalid: entry(
    400,
    "The body is not valid JSON in UTF-8.",
    "Send one JSON value, encoded once, as UTF-8.",
  ),
  json_too_complex: entry(
    400,
    "The JSON is nested too deeply, or has too many or too long keys or numbers.",
    "Send what the route documents: nothing of ours comes near these limits.",
  ),
  json_duplicate_key: entry(
    400,
    "An object in the JSON has the same key twice.",
    "Send each key once: readers disagree on which of two counts.",
  ),
  json_forbidden_key: entry(
    400,
    "An object in the JSON has the key `__proto__`, `constructor` or `prototype`.",
    "Remove it: no object here has such a member.",
  ),
  body_missing: entry(
    400,
    "The request has no body.",
    "Send a JSON body with Content-Type: application/json.",
  ),
  header_invalid: entry(
    400,
    "A request header has an invalid value.",
    "See the field named in the error.",
  ),
  parameter_invalid: entry(
    400,
    "A path or query parameter is invalid.",
    "See the field named in the error.",
  ),
  cursor_invalid: entry(
    400,
    "The cursor was not made by this list with this filter.",
    "Start again without a cursor, keeping the filter unchanged from page to page.",
  ),
  request_malformed: entry(400, "The request is not valid HTTP.", "Use an HTTP client library."),
  request_timeout: entry(
    408,
    "The request did not arrive in time.",
    "Send headers and body without long pauses.",
  ),
  field_invalid: entry(
    422,
    "A field of the body has a value that is not allowed.",
    "See the pointer named in the error.",
  ),
  field_unknown: entry(
    422,
    "The body has a field that does not exist.",
    "Remove it, or check its spelling.",
  ),
  text_invalid: entry(
    422,
    "A text holds U+0000 or half of a surrogate pair.",
    "Send whole Unicode characters, without U+0000.",
  ),
  body_too_large: entry(
    413,
    "The body is larger than allowed.",
    "Send fewer items per batch, or shorter texts.",
  ),
  headers_too_large: entry(
    431,
    "The request headers are larger than allowed.",
    "Send fewer or shorter headers.",
  ),
  content_type_unsupported: entry(
    415,
    "The body's Content-Type is not application/json.",
    "Send Content-Type: application/json.",
  ),
  encoding_unsupported: entry(
    415,
    "A compressed request body is not accepted.",
    "Send the body without Content-Encoding.",
  ),
  route_not_found: entry(404, "There is no such route.", "Compare method and path with /docs."),
  method_not_allowed: entry(
    405,
    "This path does not take this method.",
    "Compare method and path with /docs.",
  ),

  // Who asks
  unauthenticated: entry(
    401,
    "The API key or session is missing, malformed, unknown, expired or revoked.",
    "Send Authorization: Bearer with a current key; open the page again for a new session.",
  ),
  credential_in_url: entry(
    400,
    "An API key or session token stands in the URL.",
    "Send it in the Authorization header only; URLs are written to logs, so revoke this one and make another.",
  ),
  scope_missing: entry(
    403,
    "The API key lacks the scope that this route needs.",
    "Use a key with the scope named in the error.",
  ),

  address_not_allowed: entry(
    403,
    "The API key may not be used from this address.",
    "Send from an address that the key names, or make a key that names this one.",
  ),
  key_rate_exceeded: entry(
    429,
    "The API key sends more requests in a second than it may.",
    "Wait for the seconds in Retry-After, and report events in batches.",
  ),

  owner_limit_reached: entry(
    429,
    "This was done too often for one owner.",
    "Wait for the seconds in Retry-After.",
  ),

  portal_code_invalid: entry(
    404,
    "This link was used before, is older than five minutes, or never was one.",
    "Open the page again from the marketplace.",
  ),
  too_many_attempts: entry(
    429,
    "There were too many wrong attempts from this address.",
    "Wait for the seconds in Retry-After.",
  ),

  api_key_last: entry(
    409,
    "This is the last API key that can make other keys.",
    "Make another key with the scope `admin` first, or repeat with `confirm=true`.",
  ),

  // Things asked for
  not_found: entry(404, "There is no such thing, or it belongs to somebody else.", "Check the id."),

  // Resources and events
  resource_unknown: entry(
    404,
    "This resource is not known.",
    "PUT the resource first, or send `resource` along with the event.",
  ),
  resource_id_invalid: entry(
    422,
    "A resource id is 1 to 128 characters of A-Z a-z 0-9 - . _ ~, and neither `.` nor `..`.",
    "Use an id of that form.",
  ),
  event_unknown: entry(
    422,
    "There is no event of that name.",
    "Use product.update, product.user.purchase, product.user.purchaseRemoved or product.user.firstDownload.",
  ),
  user_id_not_integer: entry(
    422,
    "user.id is not an integer of 1 to 9007199254740991.",
    "Receivers get the user id as a JSON number; map other ids to integers of your own. 0 stands for users that were erased.",
  ),
  occurred_at_in_future: entry(
    422,
    "occurredAt is more than 5 minutes ahead.",
    "Send Unix seconds, not milliseconds, and check the clock.",
  ),
  previous_unknown: entry(
    422,
    "No earlier file version of this resource is known, and none was sent.",
    'Send it once, with the update: `"previous": {"version": "1.0", "id": "u1", "time": 1767323045, "size": "1048576", "fileType": "zip"}`, with the values of the version before. Each later update then knows the one before it.',
  ),
  event_too_large: entry(
    422,
    "The event is larger than 256 KiB.",
    "Shorten the update's description.",
  ),
  batch_too_large: entry(422, "The batch has more than 1,000 items.", "Split it."),
  idempotency_key_invalid: entry(
    422,
    "An idempotency key is 1 to 255 printable ASCII characters.",
    "Take it from the order line or refund line that the event is about.",
  ),
  idempotency_key_reused: entry(
    409,
    "This idempotency key was used for another event of this resource.",
    "Use a new key for each event and the same key only when repeating a request.",
  ),
  update_id_reused: entry(
    409,
    "This update id was reported before, with other content.",
    "Give each update an id of its own. To repeat a report, send the same content; to change an update, report a new one.",
  ),

  // Webhooks
  url_invalid: entry(
    422,
    "The URL is not one that a webhook can have.",
    "Use an http or https address without user name, password or fragment.",
  ),
  target_blocked: entry(
    422,
    "This address is not allowed as a receiver.",
    "Use a host with a public address; an operator can allow others by setting.",
  ),
  webhook_limit_reached: entry(
    409,
    "The resource has 100 webhooks already.",
    "Delete one that is not used.",
  ),
  webhook_not_active: entry(
    409,
    "The webhook's state does not allow this.",
    "Read the webhook and see its state and reason.",
  ),
  webhook_is_chat: entry(
    409,
    "This webhook posts into a chat, where nothing is signed.",
    "Only a webhook of a receiver of your own has a secret.",
  ),
  sending_held: entry(
    409,
    "This service sends nothing: it is a copy to try things out.",
    "Ask the operator; `MARKETHOOK_HOLD` is on, and `MARKETHOOK_ALLOW_TARGETS` names what is sent to all the same.",
  ),
  secret_invalid: entry(
    422,
    "An imported secret is 1 to 255 printable ASCII characters.",
    "Send it as receivers have it; a webhook that is created, not imported, can do without.",
  ),
  import_conflict: entry(
    409,
    "The webhook was changed here since it was imported, and the record has changed too.",
    "Decide which is right; change the webhook over the API if the record is.",
  ),
  rotation_open: entry(
    409,
    "A rotation of this webhook's secret is already open.",
    "Switch to the new secret first, or cancel the rotation.",
  ),
  rotation_not_open: entry(
    409,
    "No rotation of this webhook's secret is open.",
    "Start a rotation first.",
  ),

  // Deliveries
  delivery_not_ended: entry(
    409,
    "The delivery has not ended yet.",
    "Send it now instead of waiting: `POST /v1/deliveries/{id}/send-now`.",
  ),
  delivery_ended: entry(
    409,
    "The delivery has ended: nothing of it waits.",
    "To send it again, redeliver it.",
  ),
  delivery_is_ping: entry(
    409,
    "A ping is exactly one request and is not sent again.",
    "Press ping again.",
  ),
  redelivery_out_of_order: entry(
    409,
    "A later event about the same buyer was already sent.",
    "Repeat with `confirm: true` to send the older event after it all the same.",
  ),
  event_erased: entry(
    409,
    "The buyer was erased from this event.",
    "What was sent is not known any more, so it cannot be sent again.",
  ),

  // Ourselves
  overloaded: entry(
    503,
    "Too many requests are waiting to be stored.",
    "Repeat after the seconds in Retry-After, with the same idempotency key.",
  ),
  outcome_unknown: entry(
    503,
    "The request could not be confirmed in time; it may or may not have been stored.",
    "Repeat after the seconds in Retry-After, with the same idempotency key.",
  ),
  store_unavailable: entry(
    503,
    "The database does not answer.",
    "Repeat after the seconds in Retry-After, with the same idempotency key.",
  ),
  storage_full: entry(
    503,
    "The disk of the database is full.",
    "An operator must free space; repeat after the seconds in Retry-After.",
  ),
  too_many_streams: entry(
    503,
    "This instance has as many live streams open as it takes.",
    "Close one, or list instead; repeat after the seconds in Retry-After.",
  ),
  shutting_down: entry(
    503,
    "This instance is stopping.",
    "Repeat after the seconds in Retry-After.",
  ),
  not_ready: entry(
    503,
    "This instance should not get requests now.",
    "Send them to another instance; see the checks named in the error.",
  ),
  internal: entry(500, "Something went wrong on our side.", "Report it with the request id."),

  // Receiver library
  raw_body_missing: entry(
    undefined,
    "The body was parsed before it was verified.",
    "Give the handler the raw bytes: register it before any JSON body parser.",
  ),
  signature_missing: entry(
    undefined,
    "The request has no signature header.",
    "Check the service name in the header, and that no proxy removes headers.",
  ),
  signature_malformed: entry(
    undefined,
    "The signature header is not 64 hexadecimal digits.",
    "Pass the header's value unchanged.",
  ),
  signature_mismatch: entry(
    undefined,
    "The signature does not fit the body and the secret.",
    "See `causes` for what is likely; do not act on the request.",
  ),
  secret_missing: entry(
    undefined,
    "No secret was given to verify with.",
    "Configure the webhook's secret; an empty one would accept forgeries.",
  ),
  version_unsupported: entry(
    undefined,
    "The request is of another webhook version.",
    "Update the receiver library.",
  ),
  timestamp_malformed: entry(
    undefined,
    "webhook-timestamp is not Unix seconds.",
    "Pass the header's value unchanged.",
  ),
  timestamp_out_of_tolerance: entry(
    undefined,
    "The request was signed too long ago, or in the future.",
    "Set the receiver's clock, or raise toleranceSeconds.",
  ),
  envelope_invalid: entry(
    undefined,
    "The verified body is not the envelope of a webhook.",
    "Report it to the marketplace: the signature was right, the content was not.",
  ),
  payload_invalid: entry(
    undefined,
    "The verified payload lacks a member or has one of another type.",
    "Report it to the marketplace: the signature was right, the content was not.",
  ),
  request_body_too_large: entry(
    413,
    "The request's body is larger than the receiver allows.",
    "Raise maxBytes if the sender is trusted.",
  ),
  method_not_post: entry(
    405,
    "Webhooks are posted.",
    "Point the webhook, not a browser, at this address.",
  ),

  // Starting up
  config_invalid: entry(
    undefined,
    "A setting is invalid.",
    "Mend the settings that are named; `markethook serve --help` describes all of them.",
  ),
  address_in_use: entry(
    undefined,
    "The address to listen on is taken.",
    "Stop the other process, or choose another MARKETHOOK_PORT.",
  ),
  data_dir_in_use: entry(
    undefined,
    "Another process uses this data folder.",
    "Stop it, choose another MARKETHOOK_DATA_DIR, or use PostgreSQL to run several instances.",
  ),
  schema_newer: entry(
    undefined,
    "The database was written by a newer version.",
    "Run that version or a later one; downgrades need a backup.",
  ),
  schema_unknown: entry(
    undefined,
    "An unreleased version made this database, and it cannot be brought to this version.",
    "Start with an empty database, or go on with the version that made this one.",
  ),
  migration_failed: entry(
    undefined,
    "The database could not be brought to this version.",
    "It was left as it was; see the cause, mend it and start again.",
  ),
  engine_too_old: entry(
    undefined,
    "The database engine is too old to be trusted.",
    "Use SQLite 3.51.3, PostgreSQL 14, or later.",
  ),
  master_key_missing: entry(
    undefined,
    "The master key that sealed this database's secrets is missing.",
    "Restore the key file or MARKETHOOK_MASTER_KEY; without it the secrets cannot be read.",
  ),
  master_key_wrong: entry(
    undefined,
    "The master key is not the one that sealed this database's secrets.",
    "Restore the right key file or MARKETHOOK_MASTER_KEY.",
  ),
  reseal_too_early: entry(
    undefined,
    "A running instance does not seal with this master key yet.",
    "Restart all instances with the new key first and the old one behind it, then re-seal.",
  ),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

function entry(status: number | undefined, title: string, advice: string): ErrorEntry {
  return status === undefined ? { title, advice } : { status, title, advice };
}

export function errorEntry(code: ErrorCode): ErrorEntry {
  return ERRORS[code];
}

export interface ErrorDetail {
  /** What exactly was wrong here; a sentence without secrets or payloads. */
  detail?: string;
  /** JSON Pointer or parameter name of the faulty part. */
  pointer?: string;
  /** For answers with Retry-After. */
  retryAfterSeconds?: number;
  /** Of a failed database: it is certain that nothing of the request was stored. */
  nothingStored?: true;
  cause?: unknown;
}

/** The error class of all packages; callers match on `code`. */
export class MarkethookError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, detail: ErrorDetail = {}) {
    const entry = errorEntry(code);
    super(
      `${detail.detail ?? entry.title} ${entry.advice}`,
      detail.cause === undefined ? {} : { cause: detail.cause },
    );
    this.name = "MarkethookError";
    this.code = code;
    this.detail = detail;
  }
}

/** True for a `MarkethookError` of any copy of this package, with this code if one is named. */
export function isMarkethookError(error: unknown, code?: ErrorCode): error is MarkethookError {
  if (!(error instanceof Error) || error.name !== "MarkethookError") return false;
  return code === undefined || (error as MarkethookError).code === code;
}
