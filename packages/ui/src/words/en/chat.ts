import { whole } from "../numbers.ts";

export const chat = {
  title: "Messages",
  about: "What is posted for each event. Nothing has to be changed.",
  byEvent: "Messages by event",
  own: "own",
  notChosen: "This event is not among the webhook's chosen ones, so this message is not posted.",
  allMessages: "All messages",
  changedElsewhere: "These messages were changed elsewhere meanwhile",
  messagesSaved: "Messages saved.",
  allSaved: "All changes are saved.",
  cannotSave: "Something above cannot be saved yet.",
  unsaved: "You have unsaved changes.",
  discard: "Discard",
  saveMessages: "Save messages",
  refunds: "When a purchase is refunded or charged back",
  postRefund: "Post a message of its own",
  editSale: "Change the sale's message",
  editSaleText:
    "It stays where it stands, with what became of the sale. A sale whose message is gone gets a message of its own.",
  thread: "Thread",
  threadText:
    "Post into this thread of the channel, by its number. Leave it empty to post into the channel.",
  messageTitle: "Title",
  text: "Text",
  details: "Show the details below the text",
  detailsText: "Such as buyer, amount and order, as far as the marketplace tells them.",
  role: "Role to mention",
  reset: "Reset this message",
  colour: "Colour",
  byDefault: "by default",
  defaultColour: "Default colour",
  placeholders: (field: string) => `Placeholders, inserted into ${field}`,
  /** By name, in place of the service's own explanation, which is English. */
  placeholder: {} as Readonly<Record<string, string>>,
  /** By code, in place of the service's own sentence, which is English. */
  faults: {} as Readonly<Record<string, (of: string) => string>>,
  /** By the service's own sentence, which is English. */
  warnings: {} as Readonly<Record<string, string>>,
  fields: { title: "title", text: "text" },
  preview: "Preview",
  look: "Look of the preview",
  light: "Light",
  dark: "Dark",
  previewOf: "Preview of the message",
  app: "APP",
  edited: "(edited)",
  /** Parts of a message that have a limit, by their English names. */
  parts: {} as Readonly<Record<string, string>>,
  used: (part: string, used: number, limit: number) => `${part} ${whole(used)} of ${whole(limit)}`,
  isDefault: "This is the default message",
  sampleTitle: "Castle",
};
