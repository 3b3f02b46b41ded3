import { isObject } from "@markethook/protocol";

/** Discord's word on one member of a body. */
export interface BodyFault {
  /** `embeds.0.title` */
  path: string;
  code: string;
  message: string;
}

type Members = Readonly<Record<string, unknown>>;

/** The rules that Discord documents for the bodies of webhook messages. An edit may leave everything out. */
export function checkBody(body: unknown, editing: boolean): { faults: BodyFault[]; odd: string[] } {
  const faults: BodyFault[] = [];
  const odd: string[] = [];
  const fault = (path: string, code: string, message: string): void => {
    faults.push({ path, code, message });
  };
  if (!isObject(body)) {
    fault("", "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType");
    return { faults, odd };
  }
  unknownMembers(body, "", MESSAGE_MEMBERS, odd);
  text(body, "content", "", 2000, fault, true);
  text(body, "username", "", 80, fault, true);
  if (typeof body["username"] === "string" && /clyde|discord/i.test(body["username"])) {
    fault("username", "USERNAME_INVALID_CONTAINS", "Username cannot contain that");
  }
  const embeds = body["embeds"] ?? [];
  if (!Array.isArray(embeds)) fault("embeds", "LIST_TYPE_CONVERT", "Only iterables may be used");
  else if (embeds.length > 10) {
    fault("embeds", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 10 in length.");
  } else {
    embeds.forEach((embed: unknown, index) => checkEmbed(embed, `embeds.${index}`, fault, odd));
    const total = embeds.reduce((sum: number, embed: unknown) => sum + embedLength(embed), 0);
    if (total > 6000) {
      fault("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000");
    }
  }
  checkAllowedMentions(body["allowed_mentions"], fault);
  if (!editing && isBlank(body["content"]) && (!Array.isArray(embeds) || embeds.length === 0)) {
    fault("", "50006", "Cannot send an empty message");
  }
  return { faults, odd };
}

type Fault = (path: string, code: string, message: string) => void;

const MESSAGE_MEMBERS =
  "content username avatar_url tts embeds allowed_mentions components flags thread_name poll attachments".split(
    " ",
  );
const EMBED_MEMBERS =
  "title type description url timestamp color footer image thumbnail author fields".split(" ");

function checkEmbed(embed: unknown, path: string, fault: Fault, odd: string[]): void {
  if (!isObject(embed)) {
    fault(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType");
    return;
  }
  unknownMembers(embed, path, EMBED_MEMBERS, odd);
  text(embed, "title", path, 256, fault, true);
  text(embed, "description", path, 4096, fault, true);
  link(embed["url"], `${path}.url`, fault);
  const { color, timestamp } = embed as { color?: unknown; timestamp?: unknown };
  if (color !== undefined && !(Number.isInteger(color) && Number(color) >= 0)) {
    fault(`${path}.color`, "NUMBER_TYPE_COERCE", "Value is not int.");
  } else if (Number(color) > 0xffffff) {
    fault(
      `${path}.color`,
      "NUMBER_TYPE_MAX",
      "int value should be less than or equal to 16777215.",
    );
  }
  if (timestamp !== undefined && !isTimestamp(timestamp)) {
    fault(`${path}.timestamp`, "DATE_TIME_TYPE_PARSE", "Could not parse. Should be ISO8601.");
  }
  part(embed["footer"], "text", `${path}.footer`, 2048, fault);
  part(embed["author"], "name", `${path}.author`, 256, fault);
  const fields = embed["fields"] ?? [];
  if (!Array.isArray(fields)) fault(`${path}.fields`, "LIST_TYPE_CONVERT", "Only iterables");
  else if (fields.length > 25) {
    fault(`${path}.fields`, "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.");
  } else {
    fields.forEach((field: unknown, index) => {
      part(field ?? null, "name", `${path}.fields.${index}`, 256, fault);
      part(field ?? null, "value", `${path}.fields.${index}`, 1024, fault);
      if (isObject(field) && !["undefined", "boolean"].includes(typeof field["inline"])) {
        fault(`${path}.fields.${index}.inline`, "BOOLEAN_TYPE_CONVERT", "Must be true or false.");
      }
    });
  }
  if (
    ["title", "description", "fields", "footer", "author"].every((name) => isNothing(embed[name]))
  ) {
    fault(path, "50006", "Cannot send an empty message");
  }
}

function isNothing(value: unknown): boolean {
  return isBlank(value) || (Array.isArray(value) && value.length === 0);
}

function part(value: unknown, name: string, path: string, longest: number, fault: Fault): void {
  if (value === undefined) return;
  if (!isObject(value)) fault(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used");
  else if (isBlank(value[name]))
    fault(`${path}.${name}`, "BASE_TYPE_REQUIRED", "This field is required");
  else text(value, name, path, longest, fault, false);
}

function text(
  of: Members,
  name: string,
  path: string,
  longest: number,
  fault: Fault,
  mayBeNull: boolean,
): void {
  const value = of[name];
  const at = path === "" ? name : `${path}.${name}`;
  if (value === undefined || (value === null && mayBeNull)) return;
  if (typeof value !== "string") fault(at, "STRING_TYPE_CONVERT", "Could not interpret as string.");
  // In UTF-16 units: whichever way Discord counts, nothing longer than this is taken.
  else if (value.length > longest) {
    fault(at, "BASE_TYPE_MAX_LENGTH", `Must be ${longest} or fewer in length.`);
  }
}

function link(value: unknown, path: string, fault: Fault): void {
  if (value === undefined || value === null) return;
  const url = typeof value === "string" && value.length <= 2048 ? URL.parse(value) : null;
  if (url === null || !/\.[a-z0-9-]*[a-z][a-z0-9-]*$/i.test(url.hostname)) {
    fault(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.");
  } else if (!["http:", "https:"].includes(url.protocol)) {
    const message = "Scheme is not supported. Scheme must be one of ('http', 'https').";
    fault(path, "URL_TYPE_INVALID_SCHEME", message);
  }
}

function checkAllowedMentions(value: unknown, fault: Fault): void {
  if (value === undefined || value === null) return;
  if (!isObject(value)) return fault("allowed_mentions", "DICT_TYPE_CONVERT", "Not a dictionary");
  const { parse = [], roles = [], users = [] } = value;
  const lists: [string, unknown, RegExp][] = [
    ["parse", parse, /^(roles|users|everyone)$/],
    ["roles", roles, /^\d{17,20}$/],
    ["users", users, /^\d{17,20}$/],
  ];
  for (const [name, list, form] of lists) {
    if (!Array.isArray(list) || !list.every((one) => typeof one === "string" && form.test(one))) {
      fault(`allowed_mentions.${name}`, "BASE_TYPE_CHOICES", "Value is not one of the choices.");
    } else if (list.length > 100) {
      fault(`allowed_mentions.${name}`, "BASE_TYPE_MAX_LENGTH", "Must be 100 or fewer in length.");
    } else if (name !== "parse" && list.length > 0 && (parse as unknown[]).includes(name)) {
      fault(
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
        `parse excludes ${name}`,
      );
    }
  }
}

function embedLength(embed: unknown): number {
  if (!isObject(embed)) return 0;
  const length = (value: unknown): number => (typeof value === "string" ? value.length : 0);
  const inner = (value: unknown, ...names: string[]): number =>
    isObject(value) ? names.reduce((sum, name) => sum + length(value[name]), 0) : 0;
  const fields = Array.isArray(embed["fields"]) ? embed["fields"] : [];
  return (
    inner(embed, "title", "description") +
    inner(embed["footer"], "text") +
    inner(embed["author"], "name") +
    fields.reduce((sum: number, field: unknown) => sum + inner(field, "name", "value"), 0)
  );
}

function unknownMembers(of: Members, path: string, known: readonly string[], odd: string[]): void {
  for (const name of Object.keys(of)) {
    if (!known.includes(name)) odd.push(`unknown member ${path}.${name}`);
  }
}

function isTimestamp(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "string" && value.trim() === "";
}
