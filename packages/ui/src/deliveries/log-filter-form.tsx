import { REPORTED_EVENT_NAMES } from "@markethook/protocol/event-names";
import { Button, NativeSelect } from "@mantine/core";
import type { ReactNode } from "react";
import { eventTitle } from "../shared/code-words.ts";
import { isNarrowed, type LogFilter, STATE_CHOICES } from "./log-filter.ts";
import classes from "./delivery-log.module.css";
import { PlaceFilter, SearchField, StatusField, TimeFilter } from "./log-filter-fields.tsx";
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
