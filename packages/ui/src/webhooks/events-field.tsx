import { Checkbox, Radio, Stack } from "@mantine/core";
import { ShowBody } from "../sample/show-body.tsx";
import { CHOOSABLE_EVENTS } from "../shared/event-words.ts";
import classes from "./events-field.module.css";

interface EventsFieldProps {
  /** Null: all. */
  value: readonly string[] | null;
  onChange: (events: string[] | null) => void;
  error: string | null;
  /** Whose events are shown as JSON; null: they are sent in another form. */
  bodiesOf: string | null;
}

/** All events, or chosen ones, each explained. */
export function EventsField({ value, onChange, error, bodiesOf }: EventsFieldProps) {
  return (
    <div>
      <Radio.Group
        label="Events"
        value={value === null ? "all" : "chosen"}
        onChange={(choice) => onChange(choice === "all" ? null : [])}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="all"
            label="All events"
            description="Also those that come to exist later."
          />
          <Radio value="chosen" label="Chosen events" />
        </Stack>
      </Radio.Group>
      {value === null ? null : (
        <Checkbox.Group
          className={classes["chosen"] ?? ""}
          aria-label="Chosen events"
          value={[...value]}
          onChange={onChange}
          error={error}
        >
          <Stack gap="sm">
            {CHOOSABLE_EVENTS.map((event) => (
              <div key={event.name}>
                <Checkbox
                  value={event.name}
                  label={
                    <>
                      {event.title} <code className={classes["name"]}>{event.name}</code>
                    </>
                  }
                  description={event.about}
                />
                {bodiesOf === null ? null : <ShowBody event={event} resourceId={bodiesOf} />}
              </div>
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </div>
  );
}
