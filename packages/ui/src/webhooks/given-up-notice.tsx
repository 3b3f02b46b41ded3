import type { Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Notice } from "../shared/notice.tsx";
import { When } from "../shared/when.tsx";

/** Deliveries that are not tried again by themselves. Their owner decides what becomes of them. */
export function GivenUpNotice({ webhook: { id, givenUp } }: { webhook: Webhook }) {
  if (givenUp === null) return null;
  const one = givenUp.count === 1;
  return (
    <Notice
      kind="warn"
      title={one ? "A delivery was given up" : `${givenUp.count} deliveries were given up`}
      action={
        <Button
          component={Link}
          to="/webhooks/$webhookId"
          params={{ webhookId: id } as never}
          search={{ state: "dead" } as never}
          size="xs"
          variant="default"
        >
          Show failed deliveries
        </Button>
      }
    >
      Since <When at={givenUp.since} exact="minute" />. {one ? "It is" : "They are"} not sent again
      unless you redeliver {one ? "it" : "them"}.
    </Notice>
  );
}
