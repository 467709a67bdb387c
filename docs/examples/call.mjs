#!/usr/bin/env node
// Calls Countersign with Node.js 18 or newer, and no package.
//
//   node call.mjs list 'page=0&size=5&sort=currencyCode,asc'
//   node call.mjs create '{"name": "Travel", "currencyCode": "EUR"}'
//
// BASE_URL     the URL of the service, such as https://api.example.com
// CLIENT_ID    the clientId that the operator gave you
// PRIVATE_KEY  the file with your private key, in PEM: partner.key from `countersign keys generate
//              --out partner`, Acme-Bank.private.pem from the portal
// LISTING      the path of the list, by default /ledger/v1/wallets
import { createHash, createPrivateKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";

function setting(name) {
  return process.env[name] || fail(2, `${name} is not set`);
}

function fail(code, message) {
  console.error(message);
  process.exit(code);
}

const clientId = setting("CLIENT_ID");
const privateKey = readKey(setting("PRIVATE_KEY"));

function readKey(file) {
  try {
    return createPrivateKey(readFileSync(file));
  } catch (e) {
    return fail(1, `the private key ${file} cannot be read: ${e.message}`);
  }
}

/** Returns the headers that sign a request; send the URL and the body unchanged. */
function signed(method, url, body) {
  // One reading of the clock: created and Date are the same second.
  const created = Math.floor(Date.now() / 1000);
  const headers = { Date: new Date(created * 1000).toUTCString() };
  const covered = [["@method", method], ["@target-uri", url]];
  if (body) {
    const digest = createHash("sha256").update(body).digest("base64");
    headers["Content-Digest"] = `sha-256=:${digest}:`;
    covered.push(["content-digest", headers["Content-Digest"]]);
  }
  covered.push(["date", headers.Date]);

  const names = covered.map(([name]) => `"${name}"`).join(" ");
  const params = `(${names});created=${created};keyid="${clientId}";alg="rsa-v1_5-sha256"`;
  const lines = covered.map(([name, value]) => `"${name}": ${value}`);
  const base = [...lines, `"@signature-params": ${params}`].join("\n");
  // For an RSA key this is RSASSA-PKCS1-v1_5.
  const signature = sign("sha256", Buffer.from(base), privateKey).toString("base64");
  return { ...headers, "Signature-Input": `sig=${params}`, Signature: `sig=:${signature}:` };
}

async function call(method, url, body) {
  const headers = { Accept: "application/json", ...signed(method, url, body) };
  if (body) headers["Content-Type"] = "application/json";
  // A redirect is not followed: it would need a new signature.
  const options = { method, headers, body, redirect: "manual" };
  const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(30_000) });
  const text = await answer.text();
  if (answer.ok) return text;
  let problem = {};
  try {
    problem = JSON.parse(text);
  } catch {
    // Not from the service: a proxy perhaps.
  }
  fail(1, `${problem.reason ?? `http_${answer.status}`}: ${problem.detail ?? text}`);
}

const [command, argument] = process.argv.slice(2);
const url = new URL(setting("BASE_URL") + (process.env.LISTING || "/ledger/v1/wallets"));
if (command === "list") {
  // Encode first, then sign: what is signed is what is sent.
  url.search = new URLSearchParams(argument).toString();
  console.log(await call("GET", url.href));
} else if (command === "create" && argument) {
  console.log(await call("POST", url.href, Buffer.from(argument)));
} else {
  fail(2, "call.mjs list [QUERY] | create JSON");
}
