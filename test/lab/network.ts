import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Two namespaces and nothing else: `outside`, in which this runs, owns public addresses; `inside` is the service's.
 * Two links lead from one to the other: `world` for the public addresses, `inner` for private ones. No route leaves
 * the two.
 */
export interface Inside {
  /** Starts a command in the service's namespace; its input ends with this process. */
  run(command: readonly string[], env: Record<string, string>): ChildProcess;
  /** Packets on its loopback, and connections that were begun to wherever, since the namespace was made. */
  traffic(): { loopback: number; opens: number };
  close(): void;
}

/** The service's own public address, and the name server that it is given. */
export const SERVICE_ADDRESS = "45.33.32.1";
export const NAME_SERVER = "9.9.9.9";
/** Public blocks of which `outside` owns every address. */
export const PUBLIC_BLOCKS = [8, 23, 34, 52, 93, 104, 151, 185, 193].map(
  (first) => `${first}.0.0.0/8`,
);
/** At the edges of private blocks, and public all the same. */
export const PUBLIC_EDGES = ["100.128.0.1", "172.32.0.1"];
export const PUBLIC_IPV6 = "2606:2800:220:1::1";
/** What answers on the inner link: addresses of other machines of an operator, and of clouds. */
const INNER_IPV4 = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "100.64.0.0/10",
];
export const INNER_IPV6 = "fd00:ec2::254";

const OUTSIDE = [
  "ip link set lo up",
  "ip link add world-out type veth peer name world netns $PID",
  "ip link add inner-out type veth peer name inner netns $PID",
  "ip link set world-out up",
  "ip link set inner-out up",
  "ip addr add 45.33.32.2/30 dev world-out",
  "ip addr add 203.0.113.2/30 dev inner-out",
  "ip addr add fd99::2/64 dev inner-out nodad",
  `ip addr add ${NAME_SERVER}/32 dev lo`,
  `ip addr add ${PUBLIC_IPV6}/64 dev world-out nodad`,
  `ip addr add ${INNER_IPV6}/128 dev inner-out nodad`,
  ...[...PUBLIC_BLOCKS, ...PUBLIC_EDGES, ...INNER_IPV4].map(
    (block) => `ip route add local ${block} dev lo`,
  ),
];
const INSIDE = [
  "ip link set lo up",
  "ip link set world up",
  "ip link set inner up",
  `ip addr add ${SERVICE_ADDRESS}/30 dev world`,
  "ip addr add 203.0.113.1/30 dev inner",
  "ip addr add fd99::1/64 dev inner nodad",
  "ip addr add 2606:2800:220:1::9/64 dev world nodad",
  "ip route add default via 45.33.32.2",
  "ip -6 route add fd00:ec2::/32 via fd99::2",
  ...INNER_IPV4.map((block) => `ip route add ${block} via 203.0.113.2`),
];
/** Makes both; the folder keeps the service's resolv.conf. */
export async function openInside(folder: string): Promise<Inside> {
  const resolv = join(folder, "resolv.conf");
  writeFileSync(resolv, `nameserver ${NAME_SERVER}\n`);
  const mount = `mount --bind ${resolv} /etc/resolv.conf`;
  // Holds the namespace open, until its input ends with this process.
  const holder = spawn(
    "unshare",
    ["--net", "--mount", "sh", "-c", `${mount} && echo made && cat`],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once("data", () => resolve());
    holder.once("exit", () => reject(new Error("no namespace could be made")));
  });
  const pid = String(holder.pid);
  const enter = ["--target", pid, "--net", "--mount"];
  const shell = (commands: readonly string[]): string => ["set -e", ...commands].join("\n");
  const outside = shell(OUTSIDE).replaceAll("$PID", pid);
  execFileSync("sh", ["-c", outside], { stdio: "inherit" });
  execFileSync("nsenter", [...enter, "sh", "-c", shell(INSIDE)], { stdio: "inherit" });
  return {
    run: (command, env) =>
      spawn("nsenter", [...enter, `--wdns=${process.cwd()}`, ...command], {
        env: { PATH: process.env["PATH"] ?? "", ...env },
        stdio: ["pipe", "pipe", "pipe"],
      }),
    traffic() {
      const files = ["/proc/net/dev", "/proc/net/snmp"];
      const text = execFileSync("nsenter", [...enter, "cat", ...files]).toString();
      return { loopback: column(text, /^\s*lo:/, 9), opens: column(text, /^Tcp: \d/, 4) };
    },
    close: () => void holder.kill("SIGKILL"),
  };
}

/** A number in the line that begins so: of lo, the packets sent; of Tcp, the connections begun (ActiveOpens). */
function column(text: string, start: RegExp, index: number): number {
  const line = text.split("\n").find((line) => start.test(line)) ?? "";
  const columns = line.replace(":", ": ").trim().split(/\s+/).slice(1);
  const number = Number(columns[index]);
  if (!Number.isInteger(number)) throw new Error(`no such count in ${text}`);
  return number;
}
