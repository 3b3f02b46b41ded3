import type { ChatOptions } from "@markethook/chat";
import { Radio, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { words } from "../words/words.ts";

interface AllMessagesProps {
  options: ChatOptions;
  onChange: (options: ChatOptions) => void;
  threadFault: ReactNode;
}

/** What holds for the messages of all events. */
export function AllMessages({ options, onChange, threadFault }: AllMessagesProps) {
  return (
    <>
      <Radio.Group
        label={words.chat.refunds}
        value={options.refunds}
        onChange={(next) => onChange({ ...options, refunds: next === "edit" ? "edit" : "post" })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="post" label={words.chat.postRefund} />
          <Radio value="edit" label={words.chat.editSale} description={words.chat.editSaleText} />
        </Stack>
      </Radio.Group>
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
    </>
  );
}
