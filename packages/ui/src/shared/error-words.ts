import { ApiError, UnexpectedAnswerError, UnreachableError } from "@markethook/client";

/** What a person reads of an error: what is wrong, and what to do. */
export function errorWords(error: unknown): { title: string; text: string } {
  if (error instanceof ApiError) {
    const reference = error.status >= 500 ? ` Reference: ${error.requestId}.` : "";
    return { title: error.title, text: `${error.detail}${reference}` };
  }
  if (error instanceof UnreachableError) {
    return {
      title: "The service cannot be reached",
      text: "Check your connection; webhooks go on working meanwhile.",
    };
  }
  if (error instanceof UnexpectedAnswerError) {
    return {
      title: "Something else replied",
      text: "A proxy or a sign-in page may be in between. Try again in a minute.",
    };
  }
  return { title: "Something went wrong", text: "Try again; if it stays so, reload the page." };
}
