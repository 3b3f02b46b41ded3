import { Button, Menu } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { Webhook } from "@markethook/client";
import { useResourceTitle } from "../api/resources-and-webhooks.ts";
import { BusyButton } from "../shared/buttons.tsx";
import { SendWaitingDialog } from "../replay/send-waiting-dialog.tsx";
import type { PingControl } from "./ping-panel.tsx";
import { SampleDialog } from "../sample/sample-dialog.tsx";
import { ReplayDialog } from "../replay/replay-dialog.tsx";
import { chosenWords } from "../shared/code-words.ts";
import { PageTitle } from "../shared/page.tsx";
import { StateLabel, UserText } from "../shared/inline-text.tsx";
import { CopyDialog } from "./copy-dialog.tsx";
import { DeleteDialog, PauseDialog, ResumeDialog } from "./webhook-dialogs.tsx";
import stack from "../shared/stack.module.css";
import classes from "./webhook-page.module.css";
import { formatWord, webhookState, webhookTitle } from "./webhook-words.ts";
import { words } from "../words/words.ts";

type Open = "pause" | "resume" | "sample" | "waiting" | "replay" | "copy" | "delete" | null;

/** The webhook's name and state, and its actions. */
export function WebhookHeader({ webhook, ping }: { webhook: Webhook; ping: PingControl }) {
  const [open, setOpen] = useState<Open>(null);
  const navigate = useNavigate();
  const { word, tone } = webhookState(webhook);
  const close = (): void => setOpen(null);
  const more = useRef<HTMLButtonElement>(null);
  /** The menu's item is gone when the dialog closes, so the focus goes back to the menu's button. */
  const openFromMenu = (dialog: Open): void => {
    more.current?.focus();
    setOpen(dialog);
  };
  const title = webhookTitle(webhook);
  const resource = useResourceTitle(webhook.resourceId);
  const isActive = webhook.state === "active";
  return (
    <>
      <PageTitle
        title={title}
        back={
          <Link to="/">
            <span aria-hidden>‹ </span>
            {words.webhooks.backToList}
          </Link>
        }
        below={
          <span className={classes["about"]}>
            <StateLabel tone={tone}>{word}</StateLabel>
            {webhook.description === "" ? null : (
              <UserText className={stack["twoLines"] ?? ""}>{webhook.url}</UserText>
            )}
            <span>{formatWord(webhook.format)}</span>
            <span>{chosenWords(webhook.events)}</span>
            {resource === null ? null : (
              <span>
                {words.webhooks.of(
                  <UserText className={`${classes["resource"]} ${stack["oneLine"]}`}>
                    {resource}
                  </UserText>,
                )}
              </span>
            )}
          </span>
        }
        actions={
          <>
            <BusyButton busy={ping.isPending} onClick={() => ping.send("current")}>
              {words.webhooks.ping}
            </BusyButton>
            {webhook.format === "json" ? (
              <Button variant="default" onClick={() => setOpen("sample")}>
                {words.webhooks.sendSample}
              </Button>
            ) : null}
            <Button variant="default" onClick={() => setOpen(isActive ? "pause" : "resume")}>
              {isActive ? words.webhooks.pause : words.webhooks.resume}
            </Button>
            <Menu position="bottom-end" width={240} withinPortal>
              <Menu.Target>
                <Button ref={more} variant="default">
                  {words.webhooks.more}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {isActive ? (
                  <Menu.Item onClick={() => openFromMenu("waiting")}>
                    {words.webhooks.sendWaiting}
                  </Menu.Item>
                ) : null}
                <Menu.Item onClick={() => openFromMenu("replay")}>
                  {words.webhooks.sendMany}
                </Menu.Item>
                <Menu.Item onClick={() => openFromMenu("copy")}>{words.webhooks.copyTo}</Menu.Item>
                <Menu.Divider />
                <Menu.Item c="var(--mantine-color-error)" onClick={() => openFromMenu("delete")}>
                  {words.webhooks.deleteIt}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        }
      >
        <UserText className={`${classes["title"]} ${stack["twoLines"]}`}>{title}</UserText>
      </PageTitle>
      <PauseDialog webhook={webhook} opened={open === "pause"} onClose={close} />
      <ResumeDialog webhook={webhook} opened={open === "resume"} onClose={close} />
      <SampleDialog webhook={webhook} opened={open === "sample"} onClose={close} />
      <SendWaitingDialog webhook={webhook} opened={open === "waiting"} onClose={close} />
      <ReplayDialog webhookId={webhook.id} opened={open === "replay"} onClose={close} />
      <CopyDialog webhook={webhook} opened={open === "copy"} onClose={close} />
      <DeleteDialog
        webhook={webhook}
        opened={open === "delete"}
        onClose={close}
        onDeleted={() => void navigate({ to: "/" })}
      />
    </>
  );
}
