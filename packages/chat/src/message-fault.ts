const SENTENCES = {
  lone_brace: (brace: string) =>
    `A ${brace} stands alone. Write ${brace}${brace} for the character itself.`,
  unknown_placeholder: (name: string) => `There is no placeholder {${name}} here.`,
  after_backslash: (name: string) =>
    `{${name}}: A backslash cannot stand right before a placeholder.`,
  site_unwritten: (name: string) =>
    `{${name}}: In a link, the site must be written out before it: https://shop.example/{…}.`,
  after_at: (name: string) => `{${name}}: An @ cannot stand right before a placeholder.`,
  in_angles: (name: string) => `{${name}}: A placeholder cannot stand between < and >.`,
  too_long: (limit: string) => `There are more than ${limit} characters.`,
  control_characters: (part: string) => `${part} has control characters in it.`,
  empty_title: () => "title is empty.",
  empty_text: () => `text has nothing to be seen; "" is no text.`,
  filled_empty: () => "The title is empty once it is filled in.",
  thread_id: (digits: string) => `A thread's id has ${digits} digits.`,
  role_id: (digits: string) => `A role's id has ${digits} digits.`,
} as const satisfies Record<string, (of: string) => string>;

export type MessageFaultCode = keyof typeof SENTENCES;

/** Why an owner's choices for a message cannot be used. */
export interface MessageFault {
  /** By which the pages say it in their own language. */
  code: MessageFaultCode;
  /** The name, part or character that it is about; empty: none. */
  of: string;
  sentence: string;
}

export function messageFault(code: MessageFaultCode, of = ""): MessageFault {
  return { code, of, sentence: SENTENCES[code](of) };
}
