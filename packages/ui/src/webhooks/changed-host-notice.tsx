import { Button } from "@mantine/core";
import { Notice } from "../shared/notice.tsx";

export function ChangedHostNotice(props: { onPing: () => void; onLater: () => void }) {
  return (
    <Notice
      kind="info"
      title="Requests now go to another host"
      action={
        <>
          <Button size="xs" onClick={props.onPing}>
            Send a ping
          </Button>
          <Button size="xs" variant="default" onClick={props.onLater}>
            Later
          </Button>
        </>
      }
    >
      Send it a ping to see that it answers and knows the secret.
    </Notice>
  );
}
