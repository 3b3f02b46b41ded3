import { chatFormats } from "@markethook/chat";
import { EVENT_NAMES, type EventName } from "@markethook/protocol";
import { Type, type TSchema } from "typebox";
import { closed, model, nullable, oneOf, refOrNull } from "./fields.ts";

/** Of a thread or role. How it must look is the platform's matter. */
const ChatId = Type.String({ minLength: 1, maxLength: 100 });
/** The largest limit of any platform; `checkChatOptions` knows that of each. */
const longest = (part: "titleLength" | "textLength"): number =>
  Math.max(...chatFormats.map(({ optionRules }) => optionRules[part]));

const MessageOptions = {
  title: Type.Optional(
    Type.String({
      maxLength: longest("titleLength"),
      description: "With placeholders such as {resource}",
    }),
  ),
  text: Type.Optional(
    Type.String({ maxLength: longest("textLength"), description: "With placeholders" }),
  ),
  colour: Type.Optional(Type.Integer({ minimum: 0, maximum: 0xffffff, description: "0xRRGGBB" })),
  fields: Type.Optional(
    Type.Boolean({ description: "False: without the fields below title and text" }),
  ),
  mentionRoleId: Type.Optional(
    Type.String({ ...ChatId, description: "The one role that this event's message mentions" }),
  ),
};

const refunds = oneOf(["post", "edit"], {
  description: "Of a refund or chargeback: a message of its own, or the sale's message changed",
});
const threadId = nullable(
  Type.String({ ...ChatId, description: "Null: the chat itself, not a thread of it" }),
);

function byEvent<T extends TSchema>(schema: T) {
  // `fromEntries` forgets which names there are.
  return Object.fromEntries(EVENT_NAMES.map((name) => [name, Type.Optional(schema)])) as Record<
    EventName,
    ReturnType<typeof Type.Optional<T>>
  >;
}

/** An owner's choices for a chat's messages; absent ones have their defaults. */
export const ChatInput = closed(
  {
    messages: Type.Optional(closed(byEvent(closed(MessageOptions)))),
    refunds: Type.Optional(refunds),
    threadId: Type.Optional(threadId),
  },
  { description: "Of a webhook with a chat platform's URL: its messages, all of them at once" },
);

const ChatOptionsView = model("ChatOptions", {
  messages: Type.Object(byEvent(Type.Object(MessageOptions))),
  refunds,
  threadId,
});

/** Details of an attempt or ping at a chat. */
export const chatRemarks = {
  warnings: Type.Optional(
    Type.Array(Type.String(), { description: "Of a chat: what was cut from its message" }),
  ),
  fault: Type.Optional(
    Type.String({
      description: "Of a chat: why the default message stood in for the owner's own",
    }),
  ),
};

export const ChatOrNull = refOrNull(ChatOptionsView);
