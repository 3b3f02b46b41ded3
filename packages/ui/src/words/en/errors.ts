interface ErrorText {
  title: string;
  /** Null: the service's own sentence says more. */
  text: string | null;
}

/** By the code of the error. Where a code is missing, the service's own words are shown; they are English. */
export const errors: Readonly<Record<string, ErrorText>> = {
  target_blocked: {
    title: "This address is not allowed, or its name cannot be found.",
    text: "Use a host with a public address; an operator can allow others by setting.",
  },
  webhook_is_chat: {
    title: "This webhook posts into a chat, where nothing is signed.",
    text: "Only a webhook of a server of your own has a secret.",
  },
};
