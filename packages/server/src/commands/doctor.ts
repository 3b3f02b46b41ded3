import { addHelp, type Define, EXIT, type Output, visible } from "@markethook/cli";
import { examine } from "../doctor/examine.ts";
import type { Finding } from "../doctor/catalogue.ts";
import { gatherFacts } from "../doctor/gather.ts";

const COLOURS = { error: "red", warning: "yellow", info: "cyan" } as const;

export const define: Define = (command, context) => {
  addHelp(command, {
    examples: [
      "MARKETHOOK_BASE_URL=https://market.example markethook doctor",
      "markethook doctor --json",
    ],
    exits: {
      0: "nothing is wrong; remarks of the level info may be printed",
      1: "an error or a warning was found",
    },
    notes: () =>
      [
        "Give it the settings that the service runs with, and run it as the same user on the same machine.",
        "It changes nothing, and may run next to the service. All codes are in docs/reference/doctor.md.",
      ].join("\n"),
  });
  command.action(async () => {
    const { out } = context;
    const findings = examine(await gatherFacts(context.env));
    await out.result({ findings, ...counted(findings) }, () => page(findings, out));
    if (findings.some(({ level }) => level !== "info")) context.exitCode = EXIT.no;
  });
};

function counted(findings: readonly Finding[]) {
  const of = (level: Finding["level"]): number =>
    findings.filter((finding) => finding.level === level).length;
  return { errors: of("error"), warnings: of("warning"), infos: of("info") };
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function page(findings: readonly Finding[], out: Output): string {
  const { errors, warnings } = counted(findings);
  const lines = findings.map(
    ({ level, code, sentence, advice }) =>
      `${out.style(COLOURS[level], level.padEnd(8))}${visible(sentence)} [${code}]\n        ${advice}`,
  );
  const end =
    errors + warnings === 0
      ? "Nothing is wrong."
      : `${plural(errors, "error")}, ${plural(warnings, "warning")}.`;
  return [...lines, end].join("\n");
}
