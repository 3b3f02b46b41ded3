import { Button, Group, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import type { Webhook } from "@markethook/client";
import { BusyButton } from "./buttons.tsx";
import { ErrorNotice } from "./panels.tsx";
import stack from "./stack.module.css";
import { words } from "../words/first-words.ts";

interface DialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
  error?: unknown;
  /** The button that does it. */
  confirm?: { label: string; onClick: () => void; busy?: boolean; danger?: boolean; off?: boolean };
  closeLabel?: string;
  size?: string;
}

/** A question, and a button that does it. Focus goes in, stays in, and comes back. */
export function Dialog(props: DialogProps) {
  const { confirm } = props;
  return (
    <Modal.Root
      opened={props.opened}
      onClose={props.onClose}
      size={props.size ?? "md"}
      centered
      // The lock would insert a style element, which the pages' policy refuses.
      lockScroll={false}
      // By name: a class name given to the content goes onto the full-window layer around it, too.
      classNames={{ content: stack["dialog"] ?? "" }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label={props.title}>
        {/* Not the library's header, which would be a second banner. */}
        <Group justify="space-between" wrap="nowrap" p="1rem 1rem 0.5rem">
          <h2 className={stack["dialogTitle"]}>{props.title}</h2>
          <Modal.CloseButton aria-label={words.shared.close} />
        </Group>
        <Modal.Body>
          <div className={stack["stack"]}>
            {props.children}
            <ErrorNotice error={props.error} />
            <Group justify="flex-end" gap="0.5rem">
              <Button variant="default" onClick={props.onClose}>
                {props.closeLabel ?? words.shared.cancel}
              </Button>
              {confirm === undefined ? null : (
                <BusyButton
                  {...(confirm.danger === true ? { color: "red.8" } : {})}
                  busy={confirm.busy ?? false}
                  disabled={confirm.off ?? false}
                  onClick={confirm.onClick}
                >
                  {confirm.label}
                </BusyButton>
              )}
            </Group>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Of each dialog about a webhook. */
export interface WebhookDialogProps {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}
