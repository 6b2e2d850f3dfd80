// The client of `kindsmith lsp`. It knows nothing of markers: the server does.
import { commands, window, workspace, type ExtensionContext } from "vscode";
import { LanguageClient, Trace, TransportKind } from "vscode-languageclient/node";
import { messageOf, serverOf, selector } from "./settings";

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("kindsmith.restart", restart),
    workspace.onDidChangeConfiguration((e) => (e.affectsConfiguration("kindsmith") ? restart() : undefined)),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const settings = workspace.getConfiguration("kindsmith");
  const server = serverOf(settings.get("path"), workspace.workspaceFolders?.[0]?.uri.fsPath);
  client = new LanguageClient(
    "kindsmith",
    "kindsmith",
    { ...server, transport: TransportKind.stdio },
    { documentSelector: selector, outputChannelName: "kindsmith" },
  );
  try {
    await client.start();
    await client.setTrace(Trace.fromString(settings.get("trace.server", "off")));
  } catch (err) {
    const install = "How to install";
    const choice = await window.showErrorMessage(messageOf(server.command, err), install);
    if (choice === install) {
      await commands.executeCommand("vscode.open", "https://github.com/kindsmith/kindsmith#install");
    }
  }
}
