import type { SlackMessage } from "@markethook/chat";
import { isObject } from "@markethook/protocol";

type Members = Readonly<Record<string, unknown>>;

/** What breaks the rules that Slack documents for messages of incoming webhooks, as far as ours could. */
export function faultsOf(body: unknown): string[] {
  if (!isObject(body)) return ["no object"];
  const faults = unknownMembers(body, "text blocks parse unfurl_links unfurl_media");
  textFaults(body["text"], "text", 3000, faults);
  const { blocks } = body;
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > 50) {
    return [...faults, "blocks"];
  }
  for (const block of blocks) {
    if (!isObject(block)) faults.push("block");
    else blockFaults(block, faults);
  }
  return faults;
}

function blockFaults(block: Members, faults: string[]): void {
  const { type } = block;
  faults.push(...unknownMembers(block, type === "context" ? "type elements" : "type text fields"));
  if (type === "header") objectFaults(block["text"], "header", 150, ["plain_text"], faults);
  else if (type === "context") listFaults(block["elements"], "context", 10, 3000, faults);
  else if (type !== "section") faults.push(`type ${String(type)}`);
  else if (block["fields"] !== undefined) listFaults(block["fields"], "fields", 10, 2000, faults);
  else objectFaults(block["text"], "section", 3000, ["plain_text", "mrkdwn"], faults);
}

function listFaults(
  list: unknown,
  name: string,
  most: number,
  longest: number,
  faults: string[],
): void {
  if (!Array.isArray(list) || list.length === 0 || list.length > most) faults.push(name);
  else for (const one of list) objectFaults(one, name, longest, ["plain_text", "mrkdwn"], faults);
}

function objectFaults(
  value: unknown,
  name: string,
  longest: number,
  types: readonly string[],
  faults: string[],
): void {
  if (!isObject(value) || !types.includes(String(value["type"]))) {
    faults.push(name);
    return;
  }
  const own = value["type"] === "mrkdwn" ? "verbatim" : "emoji";
  faults.push(...unknownMembers(value, `type text ${own}`));
  textFaults(value["text"], name, longest, faults);
}

function textFaults(text: unknown, name: string, longest: number, faults: string[]): void {
  if (typeof text !== "string" || text.trim() === "" || text.length > longest) {
    faults.push(`${name}: text`);
  } else if (/&(?!(?:amp|lt|gt);)/.test(text)) faults.push(`${name}: a bare &`);
}

function unknownMembers(of: Members, known: string): string[] {
  return Object.keys(of)
    .filter((name) => !known.split(" ").includes(name))
    .map((name) => `unknown member ${name}`);
}

/** All that Slack would act on: what stands between `<` and `>` in a marked text, and words that it would link. */
export function sequencesOf({ text, blocks, parse }: SlackMessage): string[] {
  const objects = blocks.flatMap((block) => {
    if (block.type === "context") return block.elements;
    return "fields" in block ? block.fields : [block.text];
  });
  const marked = objects.filter((one) => one.type === "mrkdwn");
  const texts = [text, ...marked.map((one) => one.text)];
  const read = [
    ...(parse === "none" ? [] : [text]),
    ...marked.filter(({ verbatim }) => !verbatim).map((one) => one.text),
  ];
  return [
    ...texts.flatMap((one) => one.match(/<[^>]*>?|>/g) ?? []),
    ...read.flatMap((one) => one.match(/https?:\S+|@\w+|#\w+|\w+\.\w{2,}/g) ?? []),
  ];
}
