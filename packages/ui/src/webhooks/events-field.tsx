import { Checkbox, Radio, Stack } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { REPORTED_EVENT_NAMES } from "@markethook/protocol/event-names";
import type { EventBodyProps } from "../sample/event-body.tsx";
import { ShowBody } from "../sample/show-body.tsx";
import { unseenLabel } from "../shared/inline-text.tsx";
import stack from "../shared/stack.module.css";
import { words } from "../words/words.ts";

interface EventsFieldProps {
  /** Null: all. */
  value: readonly string[] | null;
  onChange: (events: string[] | null) => void;
  error: ReactNode;
  /** The input of the events' JSON; null: they are sent in another form. */
  bodiesOf: Omit<EventBodyProps, "event" | "userId"> | null;
}

/** All events, or chosen ones, each explained. */
export function EventsField({ value, onChange, error, bodiesOf }: EventsFieldProps) {
  const errorId = useId();
  return (
    <div>
      <Radio.Group
        label={words.webhooks.events}
        value={value === null ? "all" : "chosen"}
        onChange={(choice) => onChange(choice === "all" ? null : [])}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="all"
            label={words.shared.allEvents}
            description={words.webhooks.allEventsText}
          />
          <Radio value="chosen" label={words.webhooks.chosenEvents} />
        </Stack>
      </Radio.Group>
      {value === null ? null : (
        <Checkbox.Group
          mt="sm"
          ml="1.875rem"
          {...unseenLabel(words.webhooks.chosenEvents)}
          value={[...value]}
          onChange={onChange}
          error={error}
          errorProps={{ id: errorId }}
        >
          <Stack gap="sm">
            {REPORTED_EVENT_NAMES.map((name) => (
              <div key={name}>
                <Checkbox
                  value={name}
                  aria-invalid={error !== null}
                  {...(error === null ? {} : { "aria-describedby": errorId })}
                  label={
                    <>
                      {words.shared.events[name].title}{" "}
                      <code className={stack["small"]}>{name}</code>
                    </>
                  }
                  description={words.shared.events[name].about}
                />
                {bodiesOf === null ? null : <ShowBody event={name} {...bodiesOf} />}
              </div>
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </div>
  );
}
