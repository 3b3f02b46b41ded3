import { serverUrls } from "@markethook/store";

/** Its servers and its name, without the user and the password. */
export function databaseName(url: string): string {
  const servers = serverUrls(url).urls.map((one) => new URL(one));
  return `PostgreSQL at ${servers.map(({ host }) => host).join(",")}${servers[0]?.pathname ?? ""}`;
}
