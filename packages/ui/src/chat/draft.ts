import type { ChatOptions, MessageOptions } from "@markethook/chat";
import type { EventName } from "@markethook/protocol";
import { hashKey } from "@tanstack/react-query";

/** Undefined, or the same as by default: as it is by default. */
export function withMember<Member extends keyof MessageOptions>(
  options: ChatOptions,
  event: EventName,
  member: Member,
  value: MessageOptions[Member] | undefined,
): ChatOptions {
  const { [member]: _before, ...rest } = options.messages[event] ?? {};
  const message: MessageOptions = value === undefined ? rest : { ...rest, [member]: value };
  return withMessage(options, event, message);
}

export function withDefault(options: ChatOptions, event: EventName): ChatOptions {
  return withMessage(options, event, {});
}

function withMessage(options: ChatOptions, event: EventName, message: MessageOptions): ChatOptions {
  const { [event]: _before, ...others } = options.messages;
  const isEmpty = Object.keys(message).length === 0;
  return { ...options, messages: isEmpty ? others : { ...others, [event]: message } };
}

export function isChanged(options: ChatOptions, event: EventName): boolean {
  return options.messages[event] !== undefined;
}

/** Ignores the order of members. */
export function sameOptions(a: ChatOptions, b: ChatOptions): boolean {
  return hashKey([a]) === hashKey([b]);
}
