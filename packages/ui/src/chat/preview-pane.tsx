import { Group, SegmentedControl, useComputedColorScheme } from "@mantine/core";
import { useState } from "react";
import { chatFormat, chatFormats, type ChatMessage } from "@markethook/chat";
import { lazyPart } from "../shared/lazy-part.tsx";
import { Notice } from "../shared/panels.tsx";
import { messageFaultWords, warningWords } from "./message-remarks.tsx";
import stack from "../shared/stack.module.css";
import classes from "./messages-tab.module.css";
import type { PreviewProps } from "./chat-platform.ts";
import { chatPlatform, chatWords } from "./platforms.ts";
import { words } from "../words/words.ts";

/** By format. Each is made once, so that it stays while its message is edited. */
const PREVIEWS: ReadonlyMap<string, ReturnType<typeof lazyPart<PreviewProps>>> = new Map(
  chatFormats.map(({ name }) => [
    name,
    lazyPart(() => chatPlatform(name).loadPreview(), { onDemand: true }),
  ]),
);

interface PreviewPaneProps {
  format: string;
  message: ChatMessage;
  name: string;
  edited: boolean;
}

/** The message with sample facts, made by the code that makes the real one, and how much of the platform's limits it uses. */
export function PreviewPane({ format, message, name, edited }: PreviewPaneProps) {
  const scheme = useComputedColorScheme("light");
  const [chosen, setChosen] = useState<"light" | "dark" | null>(null);
  const look = chosen ?? scheme;
  const Preview = PREVIEWS.get(format);
  return (
    <div className={classes["preview"]}>
      <Group justify="space-between" gap="0.25rem 1rem">
        <h3>{words.chat.preview}</h3>
        <SegmentedControl
          size="xs"
          aria-label={words.chat.look}
          value={look}
          onChange={(next) => setChosen(next === "dark" ? "dark" : "light")}
          data={[
            { value: "light", label: words.chat.light },
            { value: "dark", label: words.chat.dark },
          ]}
        />
      </Group>
      {Preview === undefined ? null : (
        <Preview body={message.body} name={name} look={look} edited={edited} />
      )}
      <p className={stack["small"]} data-testid="limits">
        {chatFormat(format)
          .limitsUsed(message)
          .map(({ part, used, limit }) =>
            words.chat.used(chatWords(format)?.said[part] ?? part, used, limit),
          )
          .join(" · ")}
      </p>
      <div role="status">
        {message.fault === null ? null : (
          <Notice kind="warn" title={words.chat.isDefault}>
            {messageFaultWords(message.fault)}
          </Notice>
        )}
        {message.warnings.map((warning) => (
          <p key={warning} className={classes["warning"]}>
            {warningWords(warning)}{" "}
          </p>
        ))}
      </div>
      <p className={stack["small"]}>{chatWords(format)?.preview}</p>
    </div>
  );
}
