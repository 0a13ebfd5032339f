/** The chosen environment is the one whose interpreter PROMO_PYTHON names. */

const vscode = require("vscode");

exports.activate = () => ({
  environments: {
    getActiveEnvironmentPath: () => ({ path: process.env.PROMO_PYTHON }),
    resolveEnvironment: async ({ path }) => ({ executable: { uri: vscode.Uri.file(path) } }),
    onDidChangeActiveEnvironmentPath: new vscode.EventEmitter().event,
  },
});
