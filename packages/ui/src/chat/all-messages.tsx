import type { ChatOptions } from "@markethook/chat";
import { Radio, Stack, TextInput } from "@mantine/core";

interface AllMessagesProps {
  options: ChatOptions;
  onChange: (options: ChatOptions) => void;
  threadFault: string | undefined;
}

/** What holds for the messages of all events. */
export function AllMessages({ options, onChange, threadFault }: AllMessagesProps) {
  return (
    <>
      <Radio.Group
        label="When a purchase is refunded or charged back"
        value={options.refunds}
        onChange={(next) => onChange({ ...options, refunds: next === "edit" ? "edit" : "post" })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="post" label="Post a message of its own" />
          <Radio
            value="edit"
            label="Change the sale's message"
            description="It stays where it stands, with what became of the sale. A sale whose message is gone gets a message of its own."
          />
        </Stack>
      </Radio.Group>
      <TextInput
        label="Thread"
        description="Post into this thread of the channel, by its number. Leave it empty to post into the channel."
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
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
