import { Button, Checkbox, Group, Input, Textarea, TextInput } from "@mantine/core";
import { type ReactNode, useId, useRef, useState } from "react";
import {
  chatFormat,
  type ChatOptions,
  type ChatOptionsFault,
  type MessageOptions,
  placeholdersOf,
} from "@markethook/chat";
import type { EventName } from "@markethook/protocol";
import { QUIET_BUTTON } from "../shared/buttons.tsx";
import stack from "../shared/stack.module.css";
import { isChanged, withDefault, withMember } from "./draft.ts";
import { messageFaultWords } from "./message-remarks.tsx";
import { chatWords } from "./platforms.ts";
import { words } from "../words/words.ts";
import classes from "./messages-tab.module.css";
import { cssColour } from "./chat-platform.ts";

interface EventEditorProps {
  event: EventName;
  format: string;
  options: ChatOptions;
  onChange: (options: ChatOptions) => void;
  /** Faults of this event's message, by member. */
  faults: ReadonlyMap<string, ChatOptionsFault>;
  /** The colour that the preview has; null: the platform has none. */
  colour: number | null;
}

/** One event's message: what it says, and of other choices those that the platform has. */
export function EventEditor(props: EventEditorProps) {
  const { event, format: name, options, onChange, faults, colour } = props;
  const { defaultMessage, optionRules } = chatFormat(name);
  const platform = chatWords(name);
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
  const faultOf = (member: string): ReactNode => {
    const fault = faults.get(member);
    return fault === undefined ? undefined : messageFaultWords(fault);
  };
  const setText = (member: "title" | "text", text: string): void =>
    set(member, text === standard[member] ? undefined : text);

  const insert = (placeholderName: string): void => {
    const field = fields[last].current;
    if (field === null) return;
    const text = own[last] ?? standard[last];
    const from = field.selectionStart ?? text.length;
    const placeholder = `{${placeholderName}}`;
    const to = field.selectionEnd ?? from;
    setText(last, text.slice(0, from) + placeholder + text.slice(to));
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
        label={words.chat.messageTitle}
        value={own.title ?? standard.title}
        error={faultOf("title")}
        onFocus={() => setLast("title")}
        onChange={({ currentTarget }) => setText("title", currentTarget.value)}
      />
      <Textarea
        ref={fields.text}
        label={words.chat.text}
        description={platform?.text}
        rows={4}
        value={own.text ?? standard.text}
        error={faultOf("text")}
        onFocus={() => setLast("text")}
        onChange={({ currentTarget }) => setText("text", currentTarget.value)}
      />
      {/* What an event can tell, to be put into a field by a press. */}
      <Group gap={6} role="group" aria-label={words.chat.placeholders(words.chat.fields[last])}>
        {placeholdersOf(event).map(({ name, about: english }) => {
          const about = words.chat.placeholder[name] ?? english;
          return (
            <Button
              key={name}
              variant="default"
              size="compact-sm"
              fw={400}
              title={about}
              aria-label={`{${name}}: ${about}`}
              onClick={() => insert(name)}
            >
              {`{${name}}`}
            </Button>
          );
        })}
      </Group>
      {optionRules.fields ? (
        <Checkbox
          label={words.chat.details}
          description={words.chat.detailsText}
          checked={own.fields !== false}
          onChange={({ currentTarget }) => set("fields", currentTarget.checked ? undefined : false)}
        />
      ) : null}
      {colour === null ? null : (
        <ColourField
          value={own.colour}
          standard={colour}
          onChange={(next) => set("colour", next)}
        />
      )}
      {optionRules.roles === null ? null : (
        <TextInput
          label={words.chat.role}
          description={platform?.role}
          inputMode="numeric"
          autoComplete="off"
          value={own.mentionRoleId ?? ""}
          error={faultOf("mentionRoleId")}
          onChange={({ currentTarget }) => {
            const id = currentTarget.value.trim();
            set("mentionRoleId", id === "" ? undefined : id);
          }}
        />
      )}
      <div>
        <Button
          variant="default"
          size="xs"
          disabled={!isChanged(options, event)}
          onClick={() => onChange(withDefault(options, event))}
        >
          {words.chat.reset}
        </Button>
      </div>
    </div>
  );
}

interface ColourFieldProps {
  /** Undefined: the default. */
  value: number | undefined;
  /** The default colour, as in the preview. */
  standard: number;
  onChange: (colour: number | undefined) => void;
}

function ColourField({ value, standard, onChange }: ColourFieldProps) {
  const id = useId();
  const shown = cssColour(value ?? standard);
  return (
    <Input.Wrapper id={id} label={words.chat.colour}>
      <Group gap="sm">
        <input
          className={classes["colour"]}
          id={id}
          type="color"
          value={shown}
          onChange={(event) => onChange(Number.parseInt(event.currentTarget.value.slice(1), 16))}
        />
        <code>{shown}</code>
        {value === undefined ? (
          <span className={stack["small"]}>{words.chat.byDefault}</span>
        ) : (
          <Button {...QUIET_BUTTON} onClick={() => onChange(undefined)}>
            {words.chat.defaultColour}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
