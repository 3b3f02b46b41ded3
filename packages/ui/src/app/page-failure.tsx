import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { MessageView } from "../shared/message-view.tsx";
import { words } from "../words/first-words.ts";

/** Instead of a page that could not be shown, most often because its code could not be loaded. */
export function PageFailure() {
  const router = useRouter();
  return (
    <div role="alert">
      <MessageView
        small
        title={words.app.failed}
        action={
          <Button variant="default" onClick={() => void router.invalidate()}>
            {words.shared.tryAgain}
          </Button>
        }
      >
        {words.app.failedText}
      </MessageView>
    </div>
  );
}
