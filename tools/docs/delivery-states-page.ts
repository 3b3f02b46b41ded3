import { DELIVERY_STATES, DELIVERY_TRANSITIONS } from "@markethook/store";

/** `docs/reference/state-machine.md`, drawn from the same table that the tests check the databases against. */
export function deliveryStatesPage(): string {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to, by } of DELIVERY_TRANSITIONS) {
    const arrow = `${from ?? "[*]"} --> ${to ?? "[*]"}`;
    arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(by.split(".")[1] ?? by));
  }
  return [
    "# The states of a delivery",
    "",
    "A delivery is one event to one webhook. It stands in exactly one of these states; each arrow is one transaction",
    "of the store. This page is drawn from `packages/store/src/delivery-states.ts`, and the tests of both databases",
    "check that no other transition ever happens.",
    "",
    "```mermaid",
    "stateDiagram-v2",
    ...[...arrows].map(([arrow, by]) => `  ${arrow} : ${[...by].join(", ")}`),
    "```",
    "",
    ...table([["state", "meaning"], ...Object.entries(DELIVERY_STATES)]),
    "",
    ...table([
      ["from", "to", "by", "when"],
      ...DELIVERY_TRANSITIONS.map(({ from, to, by, when }) => [
        from ?? "(new)",
        to ?? "(gone)",
        `\`${by}\``,
        when,
      ]),
    ]),
    "",
    "A row that a claim finds behind an earlier one about the same buyer stays `waiting`; only the time at which it",
    "is looked at again moves: 1 s, doubling to 30 s. `log.sendNow`, `log.sendWaitingStep` and `deliveries.pullForward`",
    "make a waiting row due before its time; the row keeps the time that its schedule has, and `log.stopWaitingStep` gives it",
    "that time back. A write that ends a lease names the lease; where it is no longer held, nothing changes.",
    "",
  ].join("\n");
}

/** With columns as wide as their widest cell, as the formatter wants them. */
function table(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows;
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const [first, ...others] = rows.map(
    (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`,
  );
  return [first ?? "", `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...others];
}
