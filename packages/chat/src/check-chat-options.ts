import { EVENT_NAMES, type EventName, isEventName } from "@markethook/protocol/event-names";
import { isObject, jsonObject } from "@markethook/protocol/json-object";
import {
  type ChatFormat,
  type ChatOptions,
  DEFAULT_CHAT_OPTIONS,
  type IdRule,
  type MessageOptions,
} from "./chat-format.ts";
import { cleanLine } from "./clean-text.ts";
import { type MessageFault, messageFault } from "./message-fault.ts";
import { sampleFacts } from "./sample-facts.ts";

/** A fault that the pages cannot cause has no code. `unknown`: there is no such option, or not on this platform. */
type Fault = (MessageFault | { code?: undefined; sentence: string }) & { unknown?: true };

export type ChatOptionsFault = Fault & {
  /** JSON Pointer within the options. */
  pointer: string;
};

/** Absent members are the default. Members that mean nothing on the platform are refused. */
export function checkChatOptions(
  format: ChatFormat,
  value: unknown,
): { options: ChatOptions } | { faults: ChatOptionsFault[] } {
  const faults: ChatOptionsFault[] = [];
  const members = object(value, "", ["messages", "refunds", "threadId"], faults);
  const { refunds = "post", threadId = null } = members;
  if (refunds !== "post" && refunds !== "edit") {
    faults.push({ pointer: "/refunds", sentence: "refunds is post or edit." });
  } else if (refunds === "edit" && format.editedSale === null) {
    const sentence = `${format.label} changes no posted message.`;
    faults.push({ pointer: "/refunds", sentence, unknown: true });
  }
  const thread = threadId === null ? null : idFault(format, "thread", threadId);
  if (thread !== null) faults.push({ pointer: "/threadId", ...thread });
  const messages: ChatOptions["messages"] = {};
  const given = object(members["messages"] ?? {}, "/messages", EVENT_NAMES, faults);
  for (const [name, message] of Object.entries(given)) {
    if (isEventName(name)) messages[name] = checkMessage(format, name, message, faults);
  }
  if (faults.length > 0) return { faults };
  // Both were checked above.
  return { options: { messages, refunds, threadId } as ChatOptions };
}

/** Options as they are stored, which were checked before. Null: the text is damaged. */
export function readChatOptions(text: string): ChatOptions | null {
  const stored = jsonObject(text);
  if (stored === null) return null;
  const options: Record<keyof ChatOptions, unknown> = { ...DEFAULT_CHAT_OPTIONS, ...stored };
  const { messages, refunds, threadId } = options;
  return isObject(messages) &&
    Object.values(messages).every(isObject) &&
    (refunds === "post" || refunds === "edit") &&
    (threadId === null || typeof threadId === "string")
    ? { messages, refunds, threadId } // Its messages' members were checked before they were stored.
    : null;
}

const MESSAGE_MEMBERS = ["title", "text", "colour", "fields", "mentionRoleId"];

function checkMessage(
  format: ChatFormat,
  event: EventName,
  value: unknown,
  faults: ChatOptionsFault[],
): MessageOptions {
  const at = `/messages/${event}`;
  const rules = format.optionRules;
  const members = object(value, at, MESSAGE_MEMBERS, faults);
  const { title, text, colour, fields, mentionRoleId } = members;
  const fault = (member: string, found: Fault | null): void => {
    if (found !== null) faults.push({ pointer: `${at}/${member}`, ...found });
  };
  if (title !== undefined) {
    fault("title", templateFault(format, event, "title", title, rules.titleLength));
  }
  if (text !== undefined && text !== "") {
    fault("text", templateFault(format, event, "text", text, rules.textLength));
  }
  if (colour !== undefined && !rules.colours) fault("colour", lacks(format, "colours"));
  else if (colour !== undefined && !isColour(colour)) {
    fault("colour", { sentence: "colour is a whole number from 0 to 16777215." });
  }
  if (fields !== undefined && !rules.fields) fault("fields", lacks(format, "fields"));
  else if (fields !== undefined && typeof fields !== "boolean") {
    fault("fields", { sentence: "fields is true or false." });
  }
  if (mentionRoleId !== undefined) fault("mentionRoleId", idFault(format, "role", mentionRoleId));
  // Each member was checked above, and there are no others.
  return members;
}

function templateFault(
  format: ChatFormat,
  event: EventName,
  part: "title" | "text",
  template: unknown,
  length: number,
): Fault | null {
  if (typeof template !== "string") return { sentence: `${part} is a text.` };
  if (template.length > length) return messageFault("too_long", String(length));
  if (/[^\P{Cc}\n\r\t]/u.test(template)) return messageFault("control_characters", part);
  const parsed = format.optionRules.parseTemplate(event, template);
  if ("fault" in parsed) return parsed.fault;
  if (cleanLine(template) === "") {
    return messageFault(part === "title" ? "empty_title" : "empty_text");
  }
  const sample = sampleFacts(event, {
    title: "Sample",
    url: "https://market.example/resource/sample",
    serviceName: "Service",
  });
  const options: ChatOptions = {
    messages: { [event]: { [part]: template } },
    refunds: "post",
    threadId: null,
  };
  return format.message(sample, options).fault;
}

function isColour(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0xffffff;
}

/** Null: the platform takes it. */
function idFault(format: ChatFormat, kind: "thread" | "role", value: unknown): Fault | null {
  const rule: IdRule | null = format.optionRules[`${kind}s`];
  if (rule === null) return lacks(format, `${kind}s`);
  const fits = typeof value === "string" && rule.pattern.test(value);
  return fits ? null : messageFault(`${kind}_id`, rule.digits);
}

function lacks({ label }: ChatFormat, options: keyof ChatFormat["optionRules"]): Fault {
  return { sentence: `${label} has no ${options}.`, unknown: true };
}

/** Its own members that are allowed; everything else is a fault. */
function object(
  value: unknown,
  at: string,
  allowed: readonly string[],
  faults: ChatOptionsFault[],
): Record<string, unknown> {
  if (!isObject(value)) {
    faults.push({ pointer: at, sentence: "This is a JSON object." });
    return {};
  }
  const members: [string, unknown][] = [];
  for (const [name, one] of Object.entries(value)) {
    if (allowed.includes(name)) members.push([name, one]);
    else {
      faults.push({
        pointer: `${at}/${name.slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`,
        sentence: `There is no such member; there are ${allowed.join(", ")}.`,
        unknown: true,
      });
    }
  }
  return Object.fromEntries(members);
}
