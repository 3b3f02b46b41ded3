import { addApiOptions, addServerHelp, type ApiOptions, readApiOptions } from "../connect.ts";
import type { Define } from "../program/context.ts";
import { runImport } from "../import/run-import.ts";
import { openSource } from "../import/source.ts";

interface Options extends ApiOptions {
  dryRun: boolean;
  restart: boolean;
  rejected?: string;
}

export const define: Define = (command, context) => {
  addApiOptions(
    command
      .argument("<file>", "JSON Lines, a record per line; - for standard input")
      .option("--dry-run", "print the result for each record, and change nothing", false)
      .option("--restart", "begin again although an earlier run stopped before its end", false)
      .option("--rejected <file>", "where to write rejected lines (default: FILE.rejected.jsonl)"),
  );
  addServerHelp(command, {
    examples: [
      "markethook import everything.jsonl --dry-run",
      "markethook import everything.jsonl",
      "my-export | markethook import -",
    ],
    exits: {
      0: "everything is imported, or was before",
      1: "some lines were rejected; the others are imported",
      130: null,
    },
    notes: () =>
      [
        "Needs a key with the scope admin. Nothing is sent to anybody because of an import.",
        "After a stop the same command goes on: how far it came stands in FILE.markethook-import.json.",
        "Records that were imported before are not changed by another import.",
      ].join("\n"),
  });
  command.action(async (file: string, options: Options) => {
    const { url, key } = readApiOptions(context, options);
    const source = openSource(file, context);
    const ending = options.dryRun ? "dry-run-rejected" : "rejected";
    const beside = source.size === null ? null : `${file}.${ending}.jsonl`;
    const { dryRun, restart } = options;
    await runImport(context, source, {
      url,
      key,
      dryRun,
      restart,
      rejected: options.rejected ?? beside,
    });
  });
};
