import { isServiceName, parseDuration } from "@markethook/protocol";
import { InvalidArgumentError } from "commander";

/** Readers of option values, for commander. Each throws an InvalidArgumentError that says what is allowed. */

export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`Write a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

export function userId(text: string): number {
  if (/^0+$/.test(text)) {
    throw new InvalidArgumentError("User ids begin at 1; 0 stands for an erased user.");
  }
  return whole(1, Number.MAX_SAFE_INTEGER)(text);
}

/** From 0 to 1, or in per cent. */
export function share(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text) ?? [];
  const value = Number(digits ?? NaN) / (percent === "%" ? 100 : 1);
  if (!(value >= 0 && value <= 1)) {
    throw new InvalidArgumentError("Write a share from 0 to 1, or per cent such as 30%.");
  }
  return value;
}

/** Milliseconds. */
export function duration(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

const DAY_MS = 86_400_000;

/** Milliseconds of a wait of this process. A timer of more than 24 days ends at once. */
export function waitingTime(text: string): number {
  const ms = duration(text);
  if (ms > DAY_MS) throw new InvalidArgumentError("Write a duration of at most a day, e.g. 15s.");
  return ms;
}

/** Unix milliseconds, from Unix seconds or an ISO date with a time zone. */
export function moment(text: string): number {
  const ms = /^\d{1,11}$/.test(text)
    ? Number(text) * 1000
    : /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text)
      ? Date.parse(text)
      : NaN;
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError("Write Unix seconds, or a time such as 2026-01-31T12:00:00Z.");
  }
  return ms;
}

/** A range of moments in Unix seconds, rounded so that nothing in it is left out. */
export function secondsOf({ from, to }: { from?: number; to?: number }) {
  return {
    from: from === undefined ? undefined : Math.floor(from / 1000),
    to: to === undefined ? undefined : Math.ceil(to / 1000),
  };
}

export function serviceName(text: string): string {
  if (!isServiceName(text)) {
    throw new InvalidArgumentError("Letters and digits, with single hyphens between them.");
  }
  return text;
}

export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError("Write a whole URL, with http:// or https:// in front.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidArgumentError("A receiver's URL has no user name or password in it.");
  }
  return text;
}

/** The address of a service, as the client takes it. */
export function apiUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\/[^/?#@\\]+(?:\/[^?#]*)?$/i.test(text)) {
    throw new InvalidArgumentError(
      "Write the service's address, such as https://hooks.market.example: without a name, a password, a query or a fragment.",
    );
  }
  return text;
}

/** `Name: value`; may be given several times. */
export function headers(text: string, before: readonly Header[] = []): readonly Header[] {
  const header = readHeaderLine(text);
  if (header === null) throw new InvalidArgumentError("Write it as 'Name: value'.");
  return [...before, header];
}

export type Header = readonly [name: string, value: string];

/** Null for a line that is no header. */
export function readHeaderLine(line: string): Header | null {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
  return name === undefined || value === undefined ? null : [name, value];
}

export function several(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** One of these; may be given several times. */
export function oneOrMore<const Value extends string>(
  values: readonly Value[],
): (text: string, before?: Value[]) => Value[] {
  return (text, before = []) => {
    const found = values.find((value) => value === text);
    if (found === undefined) {
      throw new InvalidArgumentError(`Allowed choices are ${values.join(", ")}.`);
    }
    return before.includes(found) ? before : [...before, found];
  };
}
