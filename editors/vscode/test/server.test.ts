/** Where the server is found. */

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";

import { COMMAND, findServer, whyNot } from "../src/server";

function folderWith(script: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), "promo-")), "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, COMMAND), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, COMMAND), 0o755);
  return folder;
}

const chosen = folderWith("exit 0");
const other = folderWith('echo "error: the language server needs pygls 2" >&2; exit 2');
const python = join(chosen, "python");

test("the settings come first, then the chosen environment, then the path", () => {
  assert.equal(findServer({ path: "/mine", python, folders: other }), "/mine");
  assert.equal(findServer({ path: null, python, folders: other }), join(chosen, COMMAND));
  assert.equal(findServer({ path: null, python: "/none/bin/python", folders: other }), join(other, COMMAND));
  assert.equal(findServer({ path: null, python: null, folders: `${delimiter}/none${delimiter}${chosen}` }), join(chosen, COMMAND));
});

test("without a server there is none", () => {
  assert.equal(findServer({ path: null, python: null, folders: "/none" }), null);
  assert.equal(findServer({ path: null, python: "/none/bin/python", folders: "" }), null);
});

test("a server that cannot run says why", async () => {
  assert.equal(await whyNot(join(chosen, COMMAND)), null);
  assert.match((await whyNot(join(other, COMMAND))) ?? "", /needs pygls 2/);
  assert.match((await whyNot("/none/promo-mypy")) ?? "", /ENOENT/);
});
