export * from "./chat-answer.ts";
export * from "./chat-format.ts";
export * from "./chat-options.ts";
export * from "./event-facts.ts";
