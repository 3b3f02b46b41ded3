import { type ChildProcess, execFileSync, spawn } from "node:child_process";

/** Root keeps its rights; anybody else becomes root of a new user namespace, where the system lets them. */
const ENTER =
  process.getuid?.() === 0 ? ["--net", "--mount"] : ["--map-root-user", "--net", "--mount"];

/** Why there can be no lab on this machine; null: there can. */
export function whyNoLab(): string | null {
  if (process.platform !== "linux")
    return `network namespaces need Linux, this is ${process.platform}`;
  const trial = "ip link set lo up && ip link add trial0 type veth peer name trial1";
  try {
    execFileSync("unshare", [...ENTER, "sh", "-c", trial], { stdio: "pipe", timeout: 10_000 });
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer };
    return `no network namespaces here: ${stderr?.toString().trim() || message}`;
  }
}

/** Runs the campaign as the world outside of a service: in namespaces of its own, which end with it. */
export function enterLab(args: readonly string[], output: "pipe" | "inherit"): ChildProcess {
  const command = ["unshare", ...ENTER, process.execPath, "test/lab/campaign.ts", ...args];
  return spawn(command[0] ?? "", command.slice(1), {
    stdio: ["ignore", "pipe", output === "pipe" ? "pipe" : "inherit"],
  });
}
