import { ApiError } from "@markethook/client";
import { Button } from "@mantine/core";
import { errorWords } from "./error-words.ts";
import { MessageView } from "./message-view.tsx";
import { words } from "../words/first-words.ts";

/** Instead of a view that could not be loaded. */
export function ErrorView({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <MessageView small title={words.shared.nothingHere}>
        {words.shared.nothingHereText}
      </MessageView>
    );
  }
  const { title, text } = errorWords(error);
  return (
    <div role="alert">
      <MessageView
        small
        title={title}
        action={
          onRetry === undefined ? null : (
            <Button variant="default" onClick={onRetry}>
              {words.shared.tryAgain}
            </Button>
          )
        }
      >
        {text}
      </MessageView>
    </div>
  );
}
