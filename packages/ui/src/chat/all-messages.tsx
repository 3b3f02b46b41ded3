import { chatFormat, type ChatOptions } from "@markethook/chat";
import { Radio, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { words } from "../words/words.ts";

interface AllMessagesProps {
  format: string;
  options: ChatOptions;
  onChange: (options: ChatOptions) => void;
  threadFault: ReactNode;
}

/** The choices for the messages of all events, if the platform has any. */
export function AllMessages({ format: name, options, onChange, threadFault }: AllMessagesProps) {
  const { editedSale, optionRules } = chatFormat(name);
  if (editedSale === null && optionRules.threads === null) return null;
  return (
    <Panel title={words.chat.allMessages}>
      <div className={`${stack["stack"]} ${stack["narrow"]}`}>
        {editedSale === null ? null : (
          <Radio.Group
            label={words.chat.refunds}
            value={options.refunds}
            onChange={(next) =>
              onChange({ ...options, refunds: next === "edit" ? "edit" : "post" })
            }
          >
            <Stack gap="xs" mt="xs">
              <Radio value="post" label={words.chat.postRefund} />
              <Radio
                value="edit"
                label={words.chat.editSale}
                description={words.chat.editSaleText}
              />
            </Stack>
          </Radio.Group>
        )}
        {optionRules.threads === null ? null : (
          <TextInput
            label={words.chat.thread}
            description={words.chat.threadText}
            inputMode="numeric"
            autoComplete="off"
            value={options.threadId ?? ""}
            error={threadFault}
            onChange={({ currentTarget }) => {
              const id = currentTarget.value.trim();
              onChange({ ...options, threadId: id === "" ? null : id });
            }}
          />
        )}
      </div>
    </Panel>
  );
}
