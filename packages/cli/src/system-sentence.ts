/** Files and ports that cannot be used are the user's to fix; a stack would only hide it. */
export function systemSentence(error: NodeJS.ErrnoException): string | null {
  const where = error.path ?? "";
  switch (error.code) {
    case "ENOENT":
      return `There is no file ${where}.`;
    case "EISDIR":
      return `${where === "" ? "What was named" : where} is a folder, not a file.`;
    case "EACCES":
    case "EPERM":
      return `No permission for ${where === "" ? "it" : where}.`;
    case "EEXIST":
      return `${where} ${error.syscall === "mkdir" ? "is a file, not a folder" : "exists already"}.`;
    case "ENOTDIR":
      return `${where === "" ? "What was named" : where} is a file, not a folder.`;
    case "EROFS":
      return `${where === "" ? "It" : where} is on a file system that is read-only.`;
    case "ENOSPC":
      return "The disk is full.";
    default:
      return null;
  }
}
