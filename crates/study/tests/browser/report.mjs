// Steps through the report of a review in Chromium: keys, curve, better lines, a second game, phone and dark.
//
// usage: report.mjs REPORT.html [PICTURES]   or   report.mjs --check, which only tells whether there is a browser
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
if (!CHROMIUM) process.exit(1);
if (process.argv[2] === "--check") process.exit(0);

const [report, pictures] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
const faults = [];

async function open(options) {
  const page = await browser.newPage(options);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => !/^(file|data):/.test(request.url()) && faults.push(request.url()));
  await page.goto(pathToFileURL(report).href);
  return page;
}
const picture = async (page, name) => pictures && page.screenshot({ path: `${pictures}/${name}.png` });

const page = await open({ viewport: { width: 1200, height: 900 } });
const words = () => page.locator("#words").textContent();
const board = () => page.locator("#board").getAttribute("aria-label");

// Keys.
assert.match(await words(), /Before the first move/);
await page.keyboard.press("ArrowRight");
assert.match(await words(), /^1\. e4/);
assert.match(await board(), /pawn e4/);
await page.keyboard.press("End");
assert.match(await words(), /^17\. Rd8#/);
assert.equal(await page.locator("#moves [aria-current]").count(), 1);
await page.keyboard.press("ArrowLeft");
assert.match(await words(), /^16\.\.\. Nxb8/);
await page.keyboard.press("Home");
assert.match(await board(), /pawn e2/);

// The curve: a third of its width is a third of the game.
const curve = await page.locator("#curve").boundingBox();
await page.mouse.click(curve.x + curve.width / 3, curve.y + curve.height / 2);
assert.equal(await page.locator("#curve").getAttribute("aria-valuenow"), "11");
assert.ok((await page.locator("#curve .mark").count()) > 0);

// A mistake, and the better line on the board.
await page.keyboard.press("Home");
await page.keyboard.press("m");
assert.match(await words(), /(Inaccuracy|Mistake|Blunder)\./);
const game = await board();
const better = page.locator("#moves .note button");
const label = await better.nth(1).textContent();
await better.nth(1).click();
assert.match(await words(), /^Instead of/);
assert.ok((await words()).includes(label.replace(/^\d+\.+ /, "")), label);
assert.notEqual(await board(), game);
await page.keyboard.press("ArrowLeft");
await page.keyboard.press("ArrowLeft");
assert.doesNotMatch(await words(), /^Instead of/);

// The buttons, the other side of the board, the summary.
await page.locator("#next").click();
await page.locator("#flip").click();
assert.equal(await page.locator("#top span").first().textContent(), "queen_hunter");
await page.locator("#flip").click();
assert.match(await page.locator("#figures").textContent(), /Accuracy.*Average centipawn loss.*Blunders/);
await picture(page, "review");

// The second game is Chess960, in which both sides castle.
await page.locator("#games").selectOption({ index: 1 });
assert.match(await page.locator("#title").textContent(), /shuffler/);
for (let ply = 0; ply < 6; ply++) await page.keyboard.press("ArrowRight");
assert.match(await board(), /White:.*rook f1.*king g1.*Black:.*rook f8.*king g8/);
assert.match(await page.locator("#bottom .clock").textContent(), /0:04:51/);

// The third game turned when White fell for a trap; whether setting it was a mistake, too, is for the network to say.
await page.locator("#games").selectOption({ index: 2 });
await page.locator("#story button", { hasText: "Nx" }).first().click();
assert.match(await words(), /^[45]\. Nx.*\?\?/);

// A phone in the dark: nothing is wider than the screen.
const phone = await open({ viewport: { width: 360, height: 740 }, colorScheme: "dark", isMobile: true, hasTouch: true });
await phone.locator("#next").tap();
assert.match(await phone.locator("#words").textContent(), /^1\. e4/);
assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
const [light, dark] = await Promise.all([page, phone].map((each) => each.evaluate(() => getComputedStyle(document.body).backgroundColor)));
assert.notEqual(light, dark);
await phone.locator("#mistake").tap();
await picture(phone, "review-phone");

// What accessibility checkers find, where there is one.
try {
  await page.addScriptTag({ path: require.resolve("axe-core/axe.min.js") });
  for (const each of [page, phone]) {
    if (each === phone) await phone.addScriptTag({ path: require.resolve("axe-core/axe.min.js") });
    const { violations } = await each.evaluate(() => window.axe.run());
    const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
    assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
  }
} catch (error) {
  if (error.code !== "MODULE_NOT_FOUND") throw error;
  console.log("left out: axe-core is not here");
}

assert.deepEqual(faults, []);
await browser.close();
