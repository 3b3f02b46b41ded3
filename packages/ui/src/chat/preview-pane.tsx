import { type ChatMessage, messageLimits } from "@markethook/chat";
import { SegmentedControl, useComputedColorScheme } from "@mantine/core";
import { useState } from "react";
import { Notice } from "../shared/notice.tsx";
import { readDiscordBody } from "./discord-body.ts";
import { MessagePreview } from "./message-preview.tsx";
import classes from "./messages-tab.module.css";

interface PreviewPaneProps {
  message: ChatMessage;
  name: string;
  edited: boolean;
}

/** The message with sample facts, made by what makes the real one, and how much of Discord's limits it uses. */
export function PreviewPane({ message, name, edited }: PreviewPaneProps) {
  const scheme = useComputedColorScheme("light");
  const [chosen, setChosen] = useState<"light" | "dark" | null>(null);
  const look = chosen ?? scheme;
  return (
    <div className={classes["preview"]}>
      <div className={classes["previewHead"]}>
        <h3 className={classes["subtitle"]}>Preview</h3>
        <SegmentedControl
          size="xs"
          aria-label="Look of the preview"
          value={look}
          onChange={(next) => setChosen(next === "dark" ? "dark" : "light")}
          data={[
            { value: "light", label: "Light" },
            { value: "dark", label: "Dark" },
          ]}
        />
      </div>
      <MessagePreview
        message={readDiscordBody(message.body)}
        name={name}
        look={look}
        edited={edited}
      />
      <p className={classes["limits"]} data-testid="limits">
        {messageLimits(message)
          .map(({ part, used, limit }) => `${part} ${used} of ${limit}`)
          .join(" · ")}
      </p>
      <div role="status">
        {message.fault === null ? null : (
          <Notice kind="warn" title="This is the default message">
            {message.fault}
          </Notice>
        )}
        {message.warnings.map((warning) => (
          <p key={warning} className={classes["warning"]}>
            {warning}
          </p>
        ))}
      </div>
      <p className={classes["dimmed"]}>
        With sample data. Name and picture are those that the webhook has in Discord.
      </p>
    </div>
  );
}
