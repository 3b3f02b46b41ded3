import { entry, type ErrorEntry } from "./error-entry.ts";
import { REPORTED_EVENT_NAMES } from "./event-names.ts";
import { LIMITS } from "./limits.ts";

/** Faults of a request, or of the things that it names: the caller can do something about them. */
export const REQUEST_ERRORS = {
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

  // Authentication and limits
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

  portal_path_invalid: entry(
    422,
    "The path is not a place on the owners' pages.",
    "Give one as `/webhooks/{id}` or `/deliveries/{id}`: without scheme, host or fragment.",
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

  // Ids
  not_found: entry(404, "Nothing has this id, or it belongs to another owner.", "Check the id."),

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
    `Use ${REPORTED_EVENT_NAMES.slice(0, -1).join(", ")} or ${REPORTED_EVENT_NAMES.at(-1)}.`,
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
    "Shorten the update's description, or the details.",
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
  chat_unsupported: entry(
    422,
    "No messages are made for this chat platform yet.",
    "Enter the URL of a program of your own that posts there, or the webhook URL of a chat that the page offers.",
  ),
  target_blocked: entry(
    422,
    "This address is not allowed as a receiver.",
    "Use a host with a public address; an operator can allow others by setting.",
  ),
  webhook_limit_reached: entry(
    409,
    `The resource has ${LIMITS.webhooksPerResource} webhooks already.`,
    "Delete one that is not used.",
  ),
  webhook_not_active: entry(
    409,
    "The webhook's state does not allow this.",
    "Read the webhook and see its state and reason.",
  ),
  webhook_changed: entry(
    409,
    "The webhook was changed meanwhile, and nothing of this was saved.",
    "Read it again, and decide which values to keep.",
  ),
  webhook_is_chat: entry(
    409,
    "This webhook posts into a chat, where nothing is signed.",
    "Only a webhook of a receiver of your own has a secret.",
  ),
  dry_run: entry(
    409,
    "This service sends nothing: it is a copy to try things out.",
    "Ask the operator; `MARKETHOOK_DRY_RUN` is on, and `MARKETHOOK_ALLOW_TARGETS` names the addresses that still get requests.",
  ),
  secret_invalid: entry(
    422,
    "An imported secret is 1 to 255 printable ASCII characters, and no asymmetric key (`whsk_`, `whpk_`).",
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
    "The request is not known any more, so it cannot be sent again.",
  ),
} as const satisfies Record<string, ErrorEntry>;
