import { Button } from "@mantine/core";
import { Notice } from "../shared/notice.tsx";
import { words } from "../words/first-words.ts";

export function ChangedHostNotice(props: {
  isChat: boolean;
  onPing: () => void;
  onLater: () => void;
}) {
  return (
    <Notice
      kind="info"
      title={props.isChat ? words.webhooks.otherChat : words.webhooks.otherHost}
      action={
        <>
          <Button size="xs" onClick={props.onPing}>
            {words.webhooks.sendPing}
          </Button>
          <Button size="xs" variant="default" onClick={props.onLater}>
            {words.webhooks.later}
          </Button>
        </>
      }
    >
      {props.isChat ? words.webhooks.otherChatText : words.webhooks.otherHostText}
    </Notice>
  );
}
