import { posix } from "node:path";

/** Code, in which brackets mean something else; or the beginning of a link to a file. */
const CODE_OR_LINK =
  /^ *(?<fence>```|~~~)[^]*?^ *\k<fence>|`[^`\n]*`|\]\((?<to>[^()\s#:]+)(?=[)#\s])/gm;

/**
 * A page as it stands in a package: links to files of the repository that are not in the package lead to where the
 * repository is hosted. Asks nothing of the repository itself, as an image is made from a part of it.
 */
export function withWholeLinks(
  text: string,
  {
    page,
    repository,
    isPacked,
  }: {
    /** Its path in the repository. */
    page: string;
    repository: string;
    /** Of a path in the repository. */
    isPacked: (path: string) => boolean;
  },
): string {
  const address = repository.replace(/^git\+/, "").replace(/\.git$/, "");
  return text.replaceAll(CODE_OR_LINK, (found, _fence, to: string | undefined) => {
    if (to === undefined) return found;
    const path = posix.join(posix.dirname(page), to);
    return isPacked(path) ? found : `](${address}/blob/main/${path}`;
  });
}
