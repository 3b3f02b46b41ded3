import { createServer } from "node:net";

/**
 * Runs in the service's namespace, until its input ends: listens where only the service itself can come, and tells of
 * each who does.
 */
process.stdin.resume().on("end", () => process.exit(0));
const PORTS = (process.argv[2] ?? "").split(",").map(Number);
let opening = PORTS.length * 2;
for (const port of PORTS) {
  for (const host of ["127.0.0.1", "::1"]) {
    createServer((socket) => {
      process.stdout.write(`trip ${host}:${port}\n`);
      socket.destroy();
    }).listen({ port, host, ipv6Only: true }, () => {
      opening -= 1;
      if (opening === 0) process.stdout.write("ready\n");
    });
  }
}
