// What the extension decides without VS Code.
import { isAbsolute, join } from "node:path";

// selector are the documents of the server. It answers only in markers of Go files, and in manifests of the project's kinds.
export const selector = [
  { scheme: "file", language: "go" },
  { scheme: "file", language: "yaml" },
];

// serverOf returns how to start the server. A relative path with a separator is one in the workspace.
export function serverOf(path: string | undefined, folder: string | undefined): { command: string; args: string[] } {
  let command = path?.trim() || "kindsmith";
  if (/[\\/]/.test(command) && !isAbsolute(command) && folder !== undefined) command = join(folder, command);
  return { command, args: ["lsp"] };
}

// messageOf says why the server does not run, and what to do.
export function messageOf(command: string, err: unknown): string {
  const text = err instanceof Error ? err.message : String(err);
  if (/ENOENT/.test(text)) {
    return `kindsmith is not at ${command}. Install it, or name its path in the setting kindsmith.path.`;
  }
  return `kindsmith does not start: ${text}`;
}
