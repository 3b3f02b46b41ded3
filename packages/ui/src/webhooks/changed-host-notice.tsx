import { Button } from "@mantine/core";
import { Notice } from "../shared/notice.tsx";

export function ChangedHostNotice(props: {
  isChat: boolean;
  onPing: () => void;
  onLater: () => void;
}) {
  return (
    <Notice
      kind="info"
      title={
        props.isChat ? "Messages now go to another channel" : "Requests now go to another host"
      }
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
      {props.isChat
        ? "Send a ping to see that it arrives there."
        : "Send it a ping to see that it replies and knows the secret."}
    </Notice>
  );
}
