import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { REPORTED_EVENT_NAMES } from "@markethook/protocol/event-names";
import { eventTitle } from "../shared/code-words.ts";
import { isLongEnough, isNarrowed, type LogFilter, STATE_CHOICES } from "./log-filter.ts";
import classes from "./delivery-log.module.css";
import { PlaceFilter, TimeFilter } from "./log-filter-fields.tsx";
import { words } from "../words/words.ts";

interface LogFilterFormProps {
  filter: LogFilter;
  ofAll: boolean;
  onFilter: (filter: LogFilter) => void;
  status: ReactNode;
}

/** Empty values narrow nothing, and are left out of the address. */
export function LogFilterForm({ filter, ofAll, onFilter, status }: LogFilterFormProps) {
  const set = (change: { [Name in keyof LogFilter]?: LogFilter[Name] | undefined }): void => {
    const next = Object.fromEntries(
      Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined),
    );
    onFilter(next);
  };
  return (
    <div
      className={classes["filters"]}
      role="search"
      aria-label={words.deliveries.filter}
      data-narrowed={isNarrowed(filter, ofAll) || undefined}
    >
      <SearchField value={filter.search ?? ""} onSearch={(search) => set({ search })} />
      {ofAll ? <PlaceFilter place={filter} onPlace={set} /> : null}
      <NativeSelect
        aria-label={words.deliveries.event}
        data={[
          { value: "", label: words.shared.allEvents },
          ...[...REPORTED_EVENT_NAMES, "ping"].map((name) => ({
            value: name,
            label: eventTitle(name),
          })),
        ]}
        value={filter.event ?? ""}
        onChange={(event) =>
          // One of the values above.
          set({ event: (event.currentTarget.value || undefined) as LogFilter["event"] })
        }
      />
      <NativeSelect
        aria-label={words.deliveries.state}
        data={[
          { value: "", label: words.deliveries.allStates },
          ...STATE_CHOICES.map((state) => ({
            value: state,
            label: words.deliveries.states[state],
          })),
        ]}
        value={filter.state ?? ""}
        onChange={(event) =>
          // One of the values above.
          set({ state: (event.currentTarget.value || undefined) as LogFilter["state"] })
        }
      />
      <StatusField filter={filter} onStatus={set} />
      <TimeFilter filter={filter} onTime={set} />
      {filter.userId === undefined ? null : (
        <Button
          variant="default"
          aria-label={words.deliveries.allBuyers(filter.userId)}
          onClick={() => set({ userId: undefined })}
        >
          {words.deliveries.onlyBuyer(filter.userId)} ×
        </Button>
      )}
      <div className={classes["status"]}>{status}</div>
    </div>
  );
}

function SearchField(props: { value: string; onSearch: (search: string | undefined) => void }) {
  const [text, setText] = useFieldText(props.value);
  const submit = (next: string): void => {
    const trimmed = next.trim();
    if (isTooShort(trimmed)) return;
    if (trimmed !== props.value) props.onSearch(trimmed === "" ? undefined : trimmed);
  };
  return (
    <form
      className={classes["search"]}
      onSubmit={(event) => {
        event.preventDefault();
        submit(text);
      }}
    >
      <TextInput
        type="search"
        aria-label={words.deliveries.search}
        placeholder={words.deliveries.searchHint}
        error={isTooShort(text.trim()) ? words.deliveries.searchTooShort : null}
        maxLength={100}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          if (event.currentTarget.value === "") submit("");
        }}
        onBlur={() => submit(text)}
      />
    </form>
  );
}

/** What is typed, until the filter is changed elsewhere, for example cleared. */
function useFieldText(value: string) {
  const [seen, setSeen] = useState(value);
  const [text, setText] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setText(value);
  }
  return [text, setText] as const;
}

function isTooShort(text: string): boolean {
  return text !== "" && !isLongEnough(text);
}

/** "500", or "5xx" for all that begin so. */
function StatusField(props: {
  filter: Pick<LogFilter, "status" | "statusClass">;
  onStatus: (change: { status: number | undefined; statusClass: number | undefined }) => void;
}) {
  const { status, statusClass } = props.filter;
  const choices = useId();
  const chosen = statusClass === undefined ? String(status ?? "") : `${statusClass}xx`;
  const [text, setText] = useFieldText(chosen);
  return (
    <>
      <TextInput
        w="5.5rem"
        aria-label={words.deliveries.httpStatus}
        placeholder={words.deliveries.status}
        list={choices}
        maxLength={3}
        value={text}
        // What is half typed narrows nothing yet.
        error={text === chosen ? null : words.deliveries.statusForm}
        onBlur={() => setText(chosen)}
        onChange={(event) => {
          const next = event.currentTarget.value.toLowerCase().replace(/[^\dx]/g, "");
          setText(next);
          const [, digit] = /^([1-5])xx$/.exec(next) ?? [];
          if (next === "") props.onStatus({ status: undefined, statusClass: undefined });
          else if (digit !== undefined)
            props.onStatus({ status: undefined, statusClass: Number(digit) });
          else if (/^[1-5]\d\d$/.test(next))
            props.onStatus({ status: Number(next), statusClass: undefined });
        }}
      />
      <datalist id={choices}>
        {["2xx", "3xx", "4xx", "5xx"].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
