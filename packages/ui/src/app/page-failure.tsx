import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { MessageView } from "../shared/message-view.tsx";

/** Instead of a page that could not be shown, most often because its code could not be loaded. */
export function PageFailure() {
  const router = useRouter();
  return (
    <div role="alert">
      <MessageView
        small
        title="This page could not be shown"
        action={
          <Button variant="default" onClick={() => void router.invalidate()}>
            Try again
          </Button>
        }
      >
        The service may be out of reach. The other pages go on working.
      </MessageView>
    </div>
  );
}
