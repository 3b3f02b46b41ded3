import {
  type ChatOptions,
  defaultMessage,
  type MessageOptions,
  placeholdersOf,
} from "@markethook/chat";
import type { EventName } from "@markethook/protocol";
import { Button, Checkbox, Textarea, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import stack from "../shared/stack.module.css";
import { ColourField } from "./colour-field.tsx";
import { isChanged, withDefault, withMember } from "./draft.ts";
import { PlaceholderChips } from "./placeholder-chips.tsx";

const LONGEST = { title: 256, text: 2000 } as const;

interface EventEditorProps {
  event: EventName;
  options: ChatOptions;
  onChange: (options: ChatOptions) => void;
  /** Of this event's members. */
  faults: ReadonlyMap<string, string>;
  /** The colour that the preview has. */
  colour: number;
}

/** One event's message: what it says, in which colour, and whom it mentions. */
export function EventEditor({ event, options, onChange, faults, colour }: EventEditorProps) {
  const own = options.messages[event] ?? {};
  const standard = defaultMessage(event);
  const fields = {
    title: useRef<HTMLInputElement>(null),
    text: useRef<HTMLTextAreaElement>(null),
  };
  const [last, setLast] = useState<"title" | "text">("title");
  const set = <Member extends keyof MessageOptions>(
    member: Member,
    value: MessageOptions[Member] | undefined,
  ): void => onChange(withMember(options, event, member, value));
  const setWords = (member: "title" | "text", words: string): void =>
    set(member, words === standard[member] ? undefined : words);

  const insert = (name: string): void => {
    const field = fields[last].current;
    if (field === null) return;
    const words = own[last] ?? standard[last];
    const from = field.selectionStart ?? words.length;
    const placeholder = `{${name}}`;
    const to = field.selectionEnd ?? from;
    setWords(last, (words.slice(0, from) + placeholder + words.slice(to)).slice(0, LONGEST[last]));
    // After React has written the field's new value.
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(from + placeholder.length, from + placeholder.length);
    });
  };

  return (
    <div className={stack["stack"]}>
      <TextInput
        ref={fields.title}
        label="Title"
        maxLength={LONGEST.title}
        value={own.title ?? standard.title}
        error={faults.get("title")}
        onFocus={() => setLast("title")}
        onChange={({ currentTarget }) => setWords("title", currentTarget.value)}
      />
      <Textarea
        ref={fields.text}
        label="Text"
        description="Discord's marks such as **bold** work. A line whose placeholders are all empty is left out."
        rows={4}
        maxLength={LONGEST.text}
        value={own.text ?? standard.text}
        error={faults.get("text")}
        onFocus={() => setLast("text")}
        onChange={({ currentTarget }) => setWords("text", currentTarget.value)}
      />
      <PlaceholderChips placeholders={placeholdersOf(event)} into={last} onInsert={insert} />
      <Checkbox
        label="Show the details below the text"
        description="Such as buyer, amount and order, as far as the marketplace tells them."
        checked={own.fields !== false}
        onChange={({ currentTarget }) => set("fields", currentTarget.checked ? undefined : false)}
      />
      <ColourField value={own.colour} standard={colour} onChange={(next) => set("colour", next)} />
      <TextInput
        label="Role to mention"
        description="Its number: in Discord with developer mode on, Server settings, Roles, Copy Role ID. Nobody is mentioned without it."
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        value={own.mentionRoleId ?? ""}
        error={faults.get("mentionRoleId")}
        onChange={({ currentTarget }) => {
          const id = currentTarget.value.trim();
          set("mentionRoleId", id === "" ? undefined : id);
        }}
      />
      <div>
        <Button
          variant="default"
          size="xs"
          disabled={!isChanged(options, event)}
          onClick={() => onChange(withDefault(options, event))}
        >
          Reset this message
        </Button>
      </div>
    </div>
  );
}
