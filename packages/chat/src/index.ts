export * from "./chat-answer.ts";
export * from "./chat-format.ts";
export * from "./chat-formats.ts";
export * from "./check-chat-options.ts";
export type { EventFacts, SaleFacts } from "./event-facts.ts";
export type { MessageFault } from "./message-fault.ts";
export { placeholdersOf, type Placeholder } from "./placeholders.ts";
export { sampleFacts } from "./sample-facts.ts";
