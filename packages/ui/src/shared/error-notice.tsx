import { errorWords } from "./error-words.ts";
import { Notice } from "./notice.tsx";

/** Above what could not be done. */
export function ErrorNotice({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const { title, text } = errorWords(error);
  return (
    <Notice kind="bad" title={title}>
      {text}
    </Notice>
  );
}
