import { ApiError } from "@markethook/client";
import { Button } from "@mantine/core";
import { errorWords } from "./error-words.ts";
import { MessageView } from "./message-view.tsx";

/** Instead of a view that could not be loaded. */
export function ErrorView({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <MessageView small title="There is nothing here">
        It was deleted, or it does not belong to you.
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
              Try again
            </Button>
          )
        }
      >
        {text}
      </MessageView>
    </div>
  );
}
