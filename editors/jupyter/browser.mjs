/**
 * The language server in a real JupyterLab: Chromium opens a notebook with two mistakes, and shows a finding.
 *
 *     node jupyter/browser.mjs JUPYTER_LAB PICTURE
 *
 * JUPYTER_LAB is the command of an environment with jupyterlab, jupyterlab-lsp, promo-mypy[lsp] and NumPy. In this
 * folder's parent, `npm install --no-save playwright-core` comes before. CHROMIUM names the browser where it is not
 * /usr/bin/chromium.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";

const [jupyterLab, picture] = process.argv.slice(2);
const ADDRESS = "http://127.0.0.1:18099";
/** Milliseconds for a step: the first check reads NumPy. */
const PATIENCE = 180_000;
const CELLS = [
  "import numpy as np\nfrom numpy.typing import NDArray",
  "def brighten(\n    image: NDArray[np.float32], steps: NDArray[np.int32]\n) -> NDArray[np.float32]:\n" +
    "    gain = 1 + steps * np.float32(0.1)\n    return image * gain",
  "%timeit brighten(np.ones(3, np.float32), np.ones(3, np.int32))",
  "image = np.zeros(3, np.uint8)\nimage += 300",
];

const folder = mkdtempSync(join(tmpdir(), "promo-jupyter-"));
const cell = (source, index) => ({ cell_type: "code", id: `cell${index}`, execution_count: null, metadata: {}, outputs: [], source });
const kernelspec = { display_name: "Python 3", language: "python", name: "python3" };
const notebook = { cells: CELLS.map(cell), metadata: { kernelspec, language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 };
writeFileSync(join(folder, "photos.ipynb"), JSON.stringify(notebook));

/** Wait until the server answers. */
async function answers() {
  for (let waited = 0; waited < PATIENCE; waited += 500) {
    if (await fetch(`${ADDRESS}/api`).then((answer) => answer.ok, () => false)) {
      return;
    }
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error("JupyterLab does not answer");
}

/** Open the notebook, and look at its findings. */
async function follow(page) {
  await page.goto(`${ADDRESS}/lab/tree/photos.ipynb?reset`);
  await page.waitForSelector(".jp-Notebook .cm-content", { timeout: PATIENCE });
  await page.waitForSelector(".cm-lintRange", { timeout: PATIENCE });
  assert.equal(await page.locator(".jp-CodeCell:has(.cm-lintRange)").count(), 2);
  await page.getByRole("button", { name: "No", exact: true }).click({ timeout: 5_000 }).catch(() => undefined); // news?
  await page.locator(".cm-lintRange").first().hover();
  await page.waitForSelector(".cm-tooltip >> text=where float32 is declared", { timeout: PATIENCE });
  await page.waitForTimeout(500);
  await page.screenshot({ path: picture });
}

const options = ["--no-browser", "--allow-root", "--port=18099", "--IdentityProvider.token=", `--ServerApp.root_dir=${folder}`, "--LabApp.news_url=None"];
const server = spawn(jupyterLab, options, { stdio: "inherit" });
try {
  await answers();
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const page = await browser.newPage({ viewport: { width: 880, height: 440 } });
  await page.addInitScript(() => localStorage.clear());
  try {
    await follow(page);
  } catch (error) {
    await page.screenshot({ path: picture });
    throw error;
  } finally {
    await browser.close();
  }
  console.log("two cells have findings in JupyterLab");
} finally {
  server.kill();
}
