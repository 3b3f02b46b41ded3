import { type Branch, type Output, treeText, unacceptedBranches, visible } from "@markethook/cli";
import type { Checkup } from "@markethook/client";

/** The result of a service's check-up, or of one from this machine. */
export type CheckupShown = Pick<Checkup, "verdict" | "sentence" | "advice" | "probes"> & {
  ping: Pick<Checkup["ping"], "outcome" | "status" | "sentence"> & {
    response: { body: string | null } | null;
  };
};
type Probe = Checkup["probes"][number];

const COLOURS = { right: "green", remark: "yellow", unknown: "yellow", wrong: "red" } as const;
const WORDS = { right: "ok", remark: "ok, but", unknown: "no reply", wrong: "WRONG" } as const;
const WORD_WIDTH = 8;

/** The verdict, and below it a line for each request. */
export function checkupText(checkup: CheckupShown, out: Output, withBodies: boolean): string {
  const { verdict, sentence, advice, probes, ping } = checkup;
  const colour =
    verdict === "refuses_forgeries" ? "green" : verdict === "cannot_tell" ? "yellow" : "red";
  return treeText({
    text: [out.style(colour, sentence), ...(advice === null ? [] : [advice])].join("\n"),
    branches: [
      {
        text: `${reply(ping.status)}  The genuine ping: ${visible(ping.sentence)}`,
        branches: verdict === "ping_failed" ? unacceptedBranches(ping) : [],
      },
      // Without the bodies the replies could not be told apart.
      ...probes.map((probe) => probeBranch(probe, out, withBodies || verdict === "cannot_tell")),
    ],
  });
}

function probeBranch(probe: Probe, out: Output, withBody: boolean): Branch {
  const { title, finding, sentence, status, body } = probe;
  const word = out.style(COLOURS[finding], WORDS[finding].padEnd(WORD_WIDTH));
  const below = [
    ...(finding === "right" ? [] : [{ text: visible(sentence) }]),
    ...(withBody && body !== "" ? [{ text: `replied  ${visible(body)}` }] : []),
  ];
  return { text: `${reply(status)}  ${word} ${title}`, branches: below };
}

function reply(status: number | null): string {
  return status === null ? "  –" : String(status);
}
